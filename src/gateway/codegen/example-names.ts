/** A time in the future of every reader of an example. */
export const LATER = '2030-12-31T23:00:00Z';

/** Messages with many optional fields, of which only those with an example value are shown. */
export const sparseMessages: ReadonlySet<string> = new Set(['MissionConditions']);

/** Example names of resources, by the name of their kind. */
export const exampleNames: Readonly<Record<string, string>> = {
  Account: 'Ada Lovelace',
  Agreement: 'Coffee house partnership 2026',
  Audience: 'Newcomers',
  Campaign: 'Spring welcome',
  ChestDefinition: 'Spring chest',
  Chest: 'Spring chest',
  Client: 'Corner Shop',
  ConsoleUser: 'Grace Hopper',
  Credential: 'Shop backend',
  EventDefinition: 'Purchase',
  Item: 'Large coffee',
  Mission: 'Three purchases',
  Assignment: 'Three purchases',
  FeedItem: 'Three purchases',
  Product: 'Coffee voucher',
  Publication: 'Coffee voucher',
  Reward: '10 points',
  SessionUser: 'Grace Hopper',
  Statistic: 'Coffees of the month',
  StatisticDefinition: 'Coffees of the month',
  StatisticDefinitionDraft: 'Coffees of the month',
  Step: 'Three purchases',
  User: 'Grace Hopper',
};

/** Example descriptions of resources, by the name of their kind. */
export const exampleDescriptions: Readonly<Record<string, string>> = {
  Audience: 'Accounts that signed up this spring.',
  Campaign: 'Three purchases in spring bring ten points.',
  EventDefinition: 'An order was paid; the amount is its total in euros.',
  FeedItem: 'Buy for 20 euros or more, three times.',
  Mission: 'Buy for 20 euros or more, three times.',
  Product: 'A large coffee at any of our shops.',
  StatisticDefinition: 'Cups of coffee, of any size.',
  StatisticDefinitionDraft: 'Cups of coffee, of any size.',
  Publication: 'A large coffee at any of our shops.',
};

/** Example times by the name of the field; other fields have the last one. */
export const exampleMoments: Readonly<Record<string, string>> = {
  createdAt: '2026-03-02T09:15:00Z',
  startsAt: '2026-03-01T00:00:00Z',
  activatedAt: '2026-03-02T10:00:00Z',
  updatedAt: '2026-03-14T16:42:10.250Z',
  expiresAt: LATER,
  at: LATER,
  otherwise: '2026-03-14T16:42:10.250Z',
};

/** The mark of a field that no example has, because it does not fit the others. */
export const LEFT_OUT = undefined;

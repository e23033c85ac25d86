import { givePlaces } from '../../../src/leaderboards/leagues/give-places.ts';
import { countBadgeOwners } from '../../../src/rewards/badges/count-owners.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { type Receiver, startReceiver } from '../../operations/webhooks/receiver.ts';
import { ok } from '../../support/administration.ts';
import type { TestService } from '../../support/service.ts';

/** Ids in a client with content on every page. */
export type CoffeeShop = {
  readonly receiver: Receiver;
  /** The values of the routes' parameters, by the route. */
  readonly ids: Readonly<Record<string, string>>;
};

/** The names of the accounts; each has one purchase per letter of its name. */
const GUESTS = ['Ada Moreno', 'Ben Okafor', 'Chloé Martin', 'Dana Petrov', 'Elif Kaya', 'Farid Haddad'];

/** The attributes of purchases, one of each type. */
const PURCHASED = [
  { name: 'category', type: 'STRING', allowedValues: ['coffee', 'tea', 'beans'], description: 'What was bought.' },
  { name: 'cups', type: 'NUMBER', min: 1, max: 20 },
  { name: 'takeaway', type: 'BOOLEAN' },
  { name: 'orderedAt', type: 'TIMESTAMP', description: 'If it was ordered beforehand.' },
  { name: 'vouchers', type: 'STRING_LIST' },
  { name: 'barista', type: 'STRING', personal: true },
];

/** The attributes of guests, one of each type. */
const KNOWN = [
  { name: 'tier', type: 'STRING', allowedValues: ['SILVER', 'GOLD'], description: 'By the visits of a year.' },
  { name: 'visits', type: 'NUMBER', min: 0 },
  { name: 'newsletter', type: 'BOOLEAN' },
  { name: 'birthday', type: 'TIMESTAMP', personal: true },
  { name: 'favourites', type: 'STRING_LIST' },
];

/** Creates the data of a coffee shop chain through the API. */
export async function openCoffeeShop(service: TestService): Promise<CoffeeShop> {
  const post = (path: string, body: unknown = {}) => ok(service.rest('POST', path, body));
  const receiver = await startReceiver();
  await nameClient(service);
  await defineEvents(post);
  await defineStatistics(post);
  const { product, voucher } = await makeProducts(post);
  const { reward, chest } = await makeRewards(post, product, voucher);
  const audience = await post('/admin/audiences', { name: 'Newsletter readers', kind: 'MANUAL' });
  const everyone = await post('/admin/audiences', { name: 'Every guest', kind: 'EVERYONE' });
  const campaign = await makeCampaigns(post, { reward, chest, everyone: everyone.id, audience: audience.id });
  const mission = await post('/admin/missions', {
    audienceId: everyone.id,
    mission: { type: 'ROUTINE', name: 'A coffee a day', programmaticCode: 'VISIT', target: 1, rewardIds: [reward] },
  });
  const { publication, agreement } = await fillMarket(post, voucher);
  for (const type of ['rewards', 'publication-status']) {
    const secret = { authenticationMethodType: 'HEADER', authenticationMethodKey: 'X-Shop-Key' };
    const settings = { endpoint: `${receiver.url}/hooks/${type}`, ...secret, authenticationValue: 'shop-secret-1234' };
    await ok(service.rest('PUT', `/webhooks/${type}`, settings));
  }
  await ok(service.rest('PUT', '/admin/account-attributes', { version: 1, attributes: KNOWN }));
  const boards = await makeLeaderboards(post, reward);
  const accounts = await serveGuests(post);
  await givePlaces(service.db, service.clientId);
  await giveBadges(service, post, accounts[0] ?? '');
  await keepStreak(service, post, { audienceId: everyone.id, accountId: accounts[0] ?? '' });
  await post(`/gamification/audiences/${audience.id}/accounts/assign`, { accountIds: accounts.slice(0, 3) });
  await post('/admin/credentials', { kind: 'API_KEY', name: 'Till system' });
  await post('/admin/users', { email: 'nora@coffee.example', name: 'Nora New' });
  await loseEvent(service);
  // A misspelled code, which is refused.
  const refused = { programmaticCode: 'PURCHSAE', accountId: accounts[0], metadata: {}, operationId: 'till-4711' };
  await service.rest('POST', '/gamification/triggers', refused);
  await receiver.got(1);
  const delivery = await firstDelivery(service);
  await post('/webhooks/endpoints', {
    endpoint: {
      name: 'Customer data',
      url: `${receiver.url}/customers`,
      types: ['REWARDS_DELIVERED', 'MISSION_COMPLETED'],
      campaignIds: [campaign.id],
      form: 'CLOUD_EVENTS',
    },
  });
  const file = await post('/admin/imports', { type: 'ACCOUNTS', fileName: 'guests.csv', audienceId: audience.id });
  return {
    receiver,
    ids: {
      '/campaigns/:id': campaign.id,
      '/campaigns/:id/edit': campaign.draft,
      '/campaigns/missions/:id': mission.id,
      '/campaigns/missions/:id/edit': mission.id,
      '/campaigns/:id/accounts': campaign.id,
      '/accounts/:id': accounts[0] ?? '',
      '/audiences/:id': audience.id,
      '/rewards/:id': reward,
      '/rewards/chests/:id': chest,
      '/chests/:id': chest,
      '/products/:id': product,
      '/marketplace/:id': publication,
      '/marketplace/publications/:id': publication,
      '/marketplace/agreements/:id': agreement,
      '/leaderboards/:id': boards.active,
      '/leaderboards/draft': boards.draft,
      '/imports/:id': file.id,
      '/webhooks/deliveries/:id': delivery,
    },
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
type Post = (path: string, body?: unknown) => Promise<any>;

async function nameClient(service: TestService): Promise<void> {
  const { version } = await ok(service.rest('GET', `/admin/clients/${service.clientId}`));
  const client = { name: 'Corner Coffee', timeZone: 'UTC', version };
  await ok(service.rest('PUT', `/admin/clients/${service.clientId}`, client));
}

async function defineEvents(post: Post): Promise<void> {
  const description = 'The till sends it with the amount paid, in euros.';
  await post('/admin/event-definitions', {
    programmaticCode: 'PURCHASE',
    type: 'AMOUNT',
    name: 'Purchase',
    description,
    attributes: PURCHASED,
  });
  await post('/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE', name: 'Visit to a shop' });
  await post('/admin/event-definitions', { programmaticCode: 'REFERRAL', type: 'SINGLE', name: 'Brought a friend' });
}

async function defineStatistics(post: Post): Promise<void> {
  const spent = { code: 'spent_month', name: 'Spent this month', programmaticCode: 'PURCHASE', aggregation: 'SUM' };
  await post('/admin/statistic-definitions', { statisticDefinition: { ...spent, period: 'MONTH' } });
  const largest = { code: 'largest', name: 'Largest purchase', programmaticCode: 'PURCHASE', aggregation: 'MAX' };
  await post('/admin/statistic-definitions', {
    statisticDefinition: { ...largest, period: 'ALL_TIME', condition: 'event.amount >= 2.0' },
  });
  await post('/admin/level-tracks', {
    levelTrack: {
      ...{ code: 'guests', name: 'Guests of the house', statisticCode: 'spent_month', downgrade: 'ONE', atRiskDays: 7 },
      levels: [
        { code: 'guest', name: 'Guest', threshold: 0 },
        { code: 'regular', name: 'Regular', threshold: 5 },
        { code: 'friend', name: 'Friend of the house', threshold: 50 },
      ],
    },
  });
}

async function makeProducts(post: Post): Promise<{ product: string; voucher: string }> {
  const product = await post('/admin/products', {
    name: 'Bag of beans',
    stockMode: 'CODES',
    pointsCost: 400,
    fragmentsRequired: 5,
  });
  const codes = Array.from({ length: 40 }, (_, index) => `BEANS-${1_000 + index}`);
  await post(`/admin/products/${product.id}/codes`, { codes });
  const voucher = await post('/admin/products', { name: 'Cinema voucher', stockMode: 'UNLIMITED' });
  return { product: product.id, voucher: voucher.id };
}

async function makeRewards(post: Post, product: string, voucher: string): Promise<{ reward: string; chest: string }> {
  const reward = await post('/admin/rewards', { name: '50 points', type: 'POINTS', amount: 50 });
  const beans = await post('/admin/rewards', { name: 'Bag of beans', type: 'PRODUCTS', amount: 1, productId: product });
  await post('/admin/rewards', { name: 'A piece of a bag', type: 'FRAGMENTS', amount: 1, productId: product });
  await post('/admin/rewards', { name: 'Cinema voucher', type: 'PRODUCTS', amount: 1, productId: voucher });
  const entries = [
    { rewardId: reward.id, weight: 70 },
    { rewardId: beans.id, weight: 20 },
  ];
  const chest = await post('/admin/chests', { name: 'Sunday surprise', entries, totalWeight: 100 });
  await post('/admin/rewards', { name: 'Sunday surprise', type: 'CHEST', amount: 1, chestId: chest.id });
  return { reward: reward.id, chest: chest.id };
}

async function makeCampaigns(
  post: Post,
  of: { readonly reward: string; readonly chest: string; readonly everyone: string; readonly audience: string },
): Promise<{ id: string; draft: string }> {
  const purchases = { type: 'MISSION', programmaticCode: 'PURCHASE', target: 10 };
  const common = { audienceIds: [of.everyone], rewardIds: [of.reward] };
  const live = await post('/admin/campaigns', {
    ...common,
    name: 'Welcome to Corner Coffee',
    description: 'Three small steps for every new guest.',
    missions: [
      { ...purchases, name: 'Spend ten euros' },
      { type: 'ROUTINE', name: 'A visit a week', programmaticCode: 'VISIT', target: 1, period: 'WEEK', occurrences: 2 },
    ],
  });
  await post(`/admin/campaigns/${live.id}/activate`);
  const quick = await post('/admin/campaigns', {
    ...common,
    name: 'First coffee',
    missions: [{ ...purchases, name: 'Buy a coffee', target: 3 }],
  });
  await post(`/admin/campaigns/${quick.id}/activate`);
  const draft = await post('/admin/campaigns', {
    ...common,
    name: 'Autumn streak',
    audienceIds: [of.audience],
    missions: [
      { type: 'STREAK', name: 'Five days in a row', programmaticCode: 'VISIT', target: 5, period: 'DAY' },
      { type: 'CHALLENGE', name: 'Bring two friends', programmaticCode: 'REFERRAL', target: 2, durationDays: 14 },
    ],
  });
  return { id: live.id, draft: draft.id };
}

async function fillMarket(post: Post, productId: string): Promise<{ publication: string; agreement: string }> {
  const agreement = await post('/admin/agreements', { name: 'Cinema Rex, autumn', stock: 200 });
  const publication = await post('/admin/publications', {
    name: 'Cinema voucher',
    productId,
    agreementId: agreement.id,
    pointsCost: 120,
    stock: 50,
  });
  await post(`/marketplace/publications/${publication.id}/publish`);
  return { publication: publication.id, agreement: agreement.id };
}

async function makeLeaderboards(post: Post, reward: string): Promise<{ active: string; draft: string }> {
  const leaderboard = {
    name: 'Spent this month',
    description: 'Who spends most has the next breakfast on the house.',
    statisticCode: 'spent_month',
    displayNameAttribute: 'tier',
    prizes: [
      { lastRank: 1, rewardIds: [reward] },
      { firstRank: 2, lastRank: 3, ties: 'FIRST', rewardIds: [reward] },
      { topShare: 0.1, rewardIds: [reward] },
      { lastRank: 1, league: 1, rewardIds: [reward] },
    ],
    leagues: { names: ['Bronze', 'Silver', 'Gold', 'Diamond'], groupSize: 4, promoted: 1, relegated: 1 },
  };
  const { id: active } = await post('/admin/leaderboards', { leaderboard });
  await post(`/admin/leaderboards/${active}/activate`);
  const { id: draft } = await post('/admin/leaderboards', {
    leaderboard: {
      ...{ ...leaderboard, name: 'Largest purchase', statisticCode: 'largest', leagues: undefined },
      prizes: leaderboard.prizes.filter(({ league }) => league === undefined),
    },
  });
  return { active, draft };
}

async function serveGuests(post: Post): Promise<string[]> {
  const accounts: string[] = [];
  for (const name of GUESTS) {
    const [first = ''] = name.toLowerCase().split(' ');
    const attributes = {
      tier: name.length > 10 ? 'GOLD' : 'SILVER',
      visits: name.length * 3,
      newsletter: accounts.length < 3,
      birthday: '1990-04-30T00:00:00Z',
      favourites: ['flat white', 'carrot cake'],
    };
    const email = `${first}@example.com`;
    const { id } = await post('/accounts', { externalId: `guest-${first}`, name, email, attributes });
    accounts.push(id);
    const triggers = Array.from(name.slice(0, 6), (_, index) => ({
      programmaticCode: 'PURCHASE',
      accountId: id,
      metadata: { amount: 2.5 + index / 2 },
      operationId: `till-${first}-${index}`,
    }));
    await post('/gamification/triggers/batch', { triggers });
  }
  return accounts;
}

/** A wall with every kind of badge: earned, missing and secret ones. */
async function giveBadges(service: TestService, post: Post, accountId: string): Promise<void> {
  const badge = async (name: string, fields: object = {}) =>
    (await post('/admin/rewards', { name, type: 'BADGE', amount: 1, ...fields })).id;
  const imageUrl = `${service.baseUrl}/console/laurel.svg`;
  const earned = [
    await badge('Early bird', { imageUrl, description: 'Ten coffees before eight in the morning.' }),
    await badge('Found the hidden menu', { secret: true, description: 'Ask for it by its name.' }),
  ];
  await badge('Hundred cups', { imageUrl, description: 'A hundred cups of coffee, however long it takes.' });
  await badge('Regular');
  await badge('Midnight espresso', { secret: true });
  for (const rewardId of earned)
    await post(`/admin/accounts/${accountId}/rewards/grant`, { rewardId, reason: 'Earned in the shop.' });
  await countBadgeOwners(service.db, service.clientId, new Date());
}

/** A streak without an end in progress, a freeze and a vacation to come. */
async function keepStreak(
  service: TestService,
  post: Post,
  { audienceId, accountId }: { readonly audienceId: string; readonly accountId: string },
): Promise<void> {
  const path = `/admin/clients/${service.clientId}`;
  const { version, name, timeZone } = await ok(service.rest('GET', path, undefined, service.serviceToken));
  const streaks = { freezesMax: 3, freezePrice: 50, atRiskHours: 4, vacationDaysMax: 30 };
  await ok(service.rest('PUT', path, { version, name, timeZone, streaks }, service.serviceToken));
  const mission = { type: 'STREAK', name: 'A visit each day', programmaticCode: 'VISIT', endless: true };
  const { id: missionId } = await post('/admin/missions', { audienceId, mission });
  const reason = 'The till was down.';
  await post(`/admin/accounts/${accountId}/streaks/restore`, { missionId, length: 12, reason });
  await post(`/admin/accounts/${accountId}/streak-freezes`, { reason });
  const { today } = await ok(service.rest('GET', `/v1/accounts/${accountId}/vacations`));
  const ahead = (days: number) => Temporal.PlainDate.from(today).add({ days }).toString();
  const vacations = [{ since: ahead(20), until: ahead(27) }];
  await ok(service.rest('PUT', `/v1/accounts/${accountId}/vacations`, { vacations }));
}

/** Inserts into the table: calls cannot fail often enough to make one quickly. */
async function loseEvent(service: TestService): Promise<void> {
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(
      `insert into trigger_inbox
         (client_id, id, programmatic_code, account_id, id_type, occurred_at, accepted_at, attempts, error_code, error_message, dead_at)
       values ($1, $2, 'PURCHASE', 'guest-zoe', 'EXTERNAL', now(), now(), 10, 'ACCOUNT_NOT_FOUND', 'There is no account with the externalId ''guest-zoe''. Resolve it first.', now())`,
      [service.clientId, newId()],
    ),
  );
}

/** The log gets a delivery a moment after the receiver has answered. */
async function firstDelivery(service: TestService): Promise<string> {
  for (;;) {
    const [row] = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ id: string }>('select id from webhook_delivery where client_id = $1 order by id limit 1', [
        service.clientId,
      ]),
    );
    if (row) return row.id;
  }
}

/** A text, or its forms by the plural rules of the language. `{name}` is replaced; `{count}` chooses the form. */
export type Text = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** English, and the list of all texts. */
export const en = {
  offline: 'No connection. This is the last known state.',
  waiting: 'Nothing is known yet. It appears when the connection is back.',
  refused: 'This cannot be shown now.',
  loading: 'Loading',

  pointsTitle: 'Points',
  points: { one: 'point', other: 'points' },
  pointsPending: { one: '{count} more point is waiting', other: '{count} more points are waiting' },
  pointsExpire: { one: '{count} point expires on {date}', other: '{count} points expire on {date}' },
  pointsDebt: {
    one: '{count} point is owed. The next points pay it first.',
    other: '{count} points are owed. The next points pay them first.',
  },

  levelTitle: 'Level',
  levelNone: 'No level yet',
  levelMissing: '{count} to {level}',
  levelProgress: '{percent} of the way to {level}',
  levelHighest: 'The highest level',
  levelReview: 'Kept until {date}',
  levelFalls: 'Falls to {level} on {date}',
  levelEnds: 'Ends on {date}',

  badgesTitle: 'Badges',
  badgesEarned: '{count} of {total}',
  badgesNone: 'There are no badges yet',
  badgeEarned: 'Earned on {date}',
  badgeMissing: 'Not earned yet',
  badgeSecret: 'Secret badge',
  badgeRarity: '{percent} have it',
} as const satisfies Readonly<Record<string, Text>>;

/** The name of a text. */
export type TextKey = keyof typeof en;

/** The texts of a language. Missing ones are English. */
export type Texts = Readonly<Partial<Record<TextKey, Text>>>;

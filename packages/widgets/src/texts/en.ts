/** A text, or its forms by the plural rules of the language. `{name}` is replaced; `{count}` chooses the form. */
export type Text = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** English, and the list of all texts. */
export const en = {
  offline: 'No connection. This is the last known state.',
  waiting: 'Nothing is known yet. It appears when the connection is back.',
  refused: 'This cannot be shown now.',
  later: 'There was no answer. Try again.',
  busy: 'One moment …',
  got: '{name}: you got {rewards}.',
  impossible: 'This is not possible now.',

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

  progress: '{count} of {target}',
  rewards: 'Rewards',

  missionsTitle: 'Missions',
  missionsNone: 'There is nothing to do now',
  missionClaimable: 'The rewards wait to be claimed',
  missionClaim: 'Claim',
  missionFollows: 'To follow: {rewards}.',
  missionDone: '{campaign} is claimed.',
  missionAfter: 'After “{mission}”',
  missionLocked: 'Locked now',
  missionOpens: 'Counts again from {time}',
  missionTimes: '{count} of {target} times',
  missionEnds: 'Ends {time}',

  streakTitle: 'Streak',
  streakNone: 'There is no streak yet',
  streakDays: { one: 'day in a row', other: 'days in a row' },
  streakWeeks: { one: 'week in a row', other: 'weeks in a row' },
  streakMonths: { one: 'month in a row', other: 'months in a row' },
  streakKeptDay: 'Done for today',
  streakKeptWeek: 'Done for this week',
  streakKeptMonth: 'Done for this month',
  streakUntil: 'Keep it before {time}',
  streakLongest: 'Longest: {count}',
  streakGrace: { one: '{count} missed period is forgiven', other: '{count} missed periods are forgiven' },
  streakMilestone: 'At {count} in a row:',

  recent: 'Until today',
  weekFrom: 'Week from {date}',
  period: '{date}: {state}',
  periodKept: 'kept',
  periodInRun: 'in the streak',
  periodFrozen: 'covered by a freeze',
  periodVacation: 'vacation',
  periodMissed: 'not kept',
  periodOpen: 'not kept yet',
  periodUnknown: 'not known',

  leaderboardTitle: 'Leaderboard',
  leaderboardNone: 'There is no leaderboard now',
  leaderboardEnds: 'until {date}',
  leaderboardHidden: 'You are not shown to others.',
  leaderboardUnranked: 'You have no rank yet.',
  rank: 'Rank',
  who: 'Name',
  value: 'Value',
  you: 'You',
  someone: 'Someone',

  chestsTitle: 'Chests',
  chestsNone: 'There is no chest to open',
  chestOpen: 'Open',
  chestOdds: 'Chances',
  chestNothing: 'Nothing',
  chestEmpty: '{chest} was empty this time.',
} as const satisfies Readonly<Record<string, Text>>;

/** The name of a text. */
export type TextKey = keyof typeof en;

/** The texts of a language. Missing ones are English. */
export type Texts = Readonly<Partial<Record<TextKey, Text>>>;

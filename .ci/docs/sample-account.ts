// The account of `/docs/widgets`: answers as the service has them, which widgets read from files instead.

const medal = (rewardId: string, name: string, more: object = {}) => ({ rewardId, name, secret: false, ...more });

const mission = (id: string, name: string, more: object) => ({
  id,
  missionId: id,
  campaignId: null,
  type: 'MISSION',
  status: 'ACTIVE',
  name,
  description: '',
  progress: 0,
  target: 5,
  periodKey: '',
  claimable: false,
  rewards: [],
  locks: [],
  ...more,
});

const BOARD = '0d6f3f0e-0000-4000-8000-000000000001';
const CHEST = '0d6f3f0e-0000-4000-8000-000000000002';
const entry = (rank: number, value: number, displayName?: string) => ({
  rank,
  value,
  reachedAt: '2030-03-01T09:00:00Z',
  ...(displayName === undefined ? { own: true } : { displayName }),
});

const feed = [
  mission('m1', 'Five visits', {
    description: 'Come by five times.',
    progress: 3,
    rewards: [{ id: 'r1', name: '50 points' }],
  }),
  mission('m2', 'Bring two friends', {
    target: 2,
    progress: 1,
    expiresAt: '2030-03-31T22:00:00Z',
    rewards: [
      { id: 'r2', name: 'A golden chest' },
      { id: 'r3', name: 'Friend of friends' },
    ],
  }),
  mission('m3', 'A visit each day', {
    type: 'STREAK',
    period: 'DAY',
    target: 30,
    progress: 12,
    streak: {
      current: 12,
      longest: 21,
      freezesLeft: 1,
      todayProgress: 0,
      todayTarget: 1,
      keptToday: false,
      keepUntil: '2030-03-02T23:00:00Z',
      nextMilestone: { length: 14, rewards: [{ id: 'r4', name: '100 points' }] },
    },
  }),
];

const prize = (id: string, name: string, percent: string) => ({ reward: { id, name }, guaranteed: false, percent });

/** The answers, by their paths. */
export const SAMPLE: Readonly<Record<string, unknown>> = {
  'loyalty/accounts/me/points': {
    available: 1240,
    pending: 50,
    nextExpiration: { amount: 200, at: '2030-06-30T22:00:00Z' },
  },
  'v1/accounts/me/levels': {
    rows: [
      {
        trackCode: 'tier',
        trackName: 'Tiers',
        level: { number: 2, code: 'silver', name: 'Silver' },
        next: { level: { number: 3, code: 'gold', name: 'Gold' }, missing: 260, progress: 0.74 },
        reviewAt: '2030-12-31T23:00:00Z',
        levelAfterReview: { code: 'bronze', name: 'Bronze' },
      },
    ],
  },
  'v1/accounts/me/badges': {
    rows: [
      medal('b1', 'First order', { earnedAt: '2029-11-02T10:00:00Z', rarity: { share: 0.64 } }),
      medal('b2', 'Early bird', { description: 'Ten orders before eight.', earnedAt: '2030-01-14T07:00:00Z' }),
      medal('b3', 'A year together', { description: 'An order in each month.', rarity: { share: 0.03 } }),
      { rewardId: 'b4', secret: true, rarity: { share: 0.002 } },
    ],
  },
  'v1/feed/account/me': feed,
  'v1/accounts/me/claimable-campaigns': {
    rows: [
      {
        campaignId: 'k1',
        name: 'Spring weeks',
        description: 'All five tasks are done.',
        rewards: [{ id: 'r5', name: '200 points' }],
      },
    ],
  },
  'v1/accounts/me/streak-freezes': {
    rows: [{ type: 'USE', amount: -1, missionId: 'm3', periodKey: '2030-02-27' }],
    owned: 1,
    most: 3,
  },
  'v1/accounts/me/vacations': {
    rows: [{ since: '2030-02-20', until: '2030-02-22' }],
    daysMax: 20,
    today: '2030-03-02',
  },
  'v1/accounts/me/leaderboards': { rows: [{ leaderboardId: BOARD, name: 'Most visits this month' }], hidden: false },
  [`v1/accounts/me/leaderboards/${BOARD}`]: {
    run: { until: '2030-03-31T22:00:00Z' },
    entry: entry(17, 22),
    rows: [entry(15, 24, 'Noor'), entry(16, 23, 'Ludwig'), entry(17, 22), entry(18, 22, 'Zoë'), entry(19, 20, 'Amal')],
    entries: 240,
    hidden: false,
  },
  [`v1/leaderboards/${BOARD}/entries/paginated`]: {
    rows: [entry(1, 61, 'Mia'), entry(2, 58, 'Jürgen'), entry(3, 57, 'Xiomara')],
  },
  'gamification/chests/account/me': [{ id: 'c1', chestId: CHEST, name: 'Golden chest' }],
  [`v1/chest-definitions/${CHEST}/odds`]: {
    prizes: [prize('p1', '500 points', '5'), prize('p2', '50 points', '60'), prize('p3', 'A coffee', '25')],
    nothingPercent: '10',
  },
};

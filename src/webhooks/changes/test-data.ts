import type {
  AccountsMergedJson,
  ChestOpenedJson,
  StreakFreezesChangedJson,
  LeaderboardClosedJson,
  LevelAtRiskJson,
  LevelChangedJson,
  PendingRewardSettledJson,
  PointsChangedJson,
  RedemptionChangedJson,
  ReservationChangedJson,
  RewardEarnedJson,
  RewardsReversedJson,
  StockChangedJson,
  StreakAtRiskJson,
} from '../../../gen/laurel/v1/change_pb.ts';
import type {
  MissionCompletionJson,
  PublicationStatusChangeJson,
  RewardDeliveryJson,
  StockLowJson,
} from '../../../gen/laurel/v1/webhook_pb.ts';
import { newId } from '../../kernel/ids.ts';
import type { ChangeKind } from './change-kind.ts';

/** The JSON of a change of the real shape with `test: true`. Its ids are new, so that they match no real row. */
export function testData(kind: ChangeKind, clientId: string, now: Date): string {
  return JSON.stringify(changes[kind](clientId, now));
}

const changes: Readonly<Record<ChangeKind, (clientId: string, now: Date) => object>> = {
  REWARDS_DELIVERED: () => [testDelivery()],
  PUBLICATION_STATUS_CHANGED: testChange,
  MISSION_COMPLETED: testCompletion,
  STOCK_LOW: testStock,
  REWARDS_REVERSED: testReversal,
  ACCOUNTS_MERGED: testMerge,
  LEVEL_CHANGED: testLevel,
  LEVEL_AT_RISK: testRisk,
  STREAK_AT_RISK: testStreak,
  LEADERBOARD_CLOSED: testClose,
  POINTS_CHANGED: testPoints,
  REWARD_EARNED: testEarned,
  PENDING_REWARD_SETTLED: testSettled,
  REDEMPTION_CHANGED: testRedemption,
  RESERVATION_CHANGED: testReservation,
  STOCK_CHANGED: testStockChange,
  CHEST_OPENED: testOpening,
  STREAK_FREEZES_CHANGED: testFreezes,
};

/** Any text may be the external id of an account; this one says that it is a test. */
const TEST_EXTERNAL_ID = 'test-account';

/** The reward is a product, because that has the most fields. */
function testDelivery(): RewardDeliveryJson {
  const accountId = newId();
  const rewardId = newId();
  const assignmentId = newId();
  const product = { id: newId(), name: 'Test product' };
  const item = { id: newId(), name: 'Test item' };
  return {
    accountId,
    externalId: TEST_EXTERNAL_ID,
    type: 'PRODUCTS',
    amount: 1,
    productId: product.id,
    codes: [{ code: 'TEST-CODE', item }],
    rewardId,
    campaignId: newId(),
    assignmentId,
    assignment: {
      id: assignmentId,
      progress: 1,
      target: 1,
      status: 'COMPLETED',
      missionId: newId(),
      accountId,
      rewardId,
    },
    productRedemptions: [
      {
        product,
        account: { id: accountId, email: 'test@example.com' },
        redeemables: [{ id: newId(), code: 'TEST-CODE', itemId: item.id }],
      },
    ],
    earnedRewardId: newId(),
    test: true,
  };
}

function testChange(clientId: string, now: Date): PublicationStatusChangeJson {
  return {
    publicationId: newId(),
    productId: newId(),
    clientId,
    status: 'PUBLISHED_ON_MARKETPLACE',
    pauseReason: 'NONE',
    availableStock: 10,
    timestamp: now.toISOString(),
    test: true,
  };
}

function testCompletion(clientId: string, now: Date): MissionCompletionJson {
  return {
    accountId: newId(),
    externalId: TEST_EXTERNAL_ID,
    clientId,
    missionId: newId(),
    name: 'Test mission',
    type: 'MISSION',
    campaignId: newId(),
    campaignName: 'Test campaign',
    assignmentId: newId(),
    progress: 1,
    target: 1,
    completedAt: now.toISOString(),
    operationId: 'test-operation',
    test: true,
  };
}

function testStock(clientId: string, now: Date): StockLowJson {
  return {
    productId: newId(),
    name: 'Test product',
    clientId,
    state: 'LOW',
    stock: 9,
    lowStockThreshold: 10,
    occurredAt: now.toISOString(),
    test: true,
  };
}

/** Points of which the account had spent some, because that has the most fields. */
function testReversal(): RewardsReversedJson {
  return {
    accountId: newId(),
    externalId: TEST_EXTERNAL_ID,
    programmaticCode: 'TEST',
    triggerOperationId: 'test-event',
    operationId: 'test-operation',
    reason: 'Test reason',
    rewards: [
      {
        earnedRewardId: newId(),
        rewardId: newId(),
        name: 'Test reward',
        rewardType: 'POINTS',
        amountReversed: 100,
        amountKept: 0,
        debt: 80,
        missionId: newId(),
      },
    ],
    test: true,
  };
}

function testMerge(): AccountsMergedJson {
  return {
    mergeId: newId(),
    accountId: newId(),
    externalId: TEST_EXTERNAL_ID,
    intoAccountId: newId(),
    intoExternalId: 'test-survivor',
    progress: 'SUM',
    operationId: 'test-operation',
    test: true,
  };
}

const SILVER = { number: 2, code: 'silver', name: 'Silver', threshold: 500 };
const GOLD = { number: 3, code: 'gold', name: 'Gold', threshold: 2_000 };

function testLevel(): LevelChangedJson {
  return {
    accountId: newId(),
    externalId: TEST_EXTERNAL_ID,
    trackId: newId(),
    trackCode: 'tier',
    previousCode: SILVER.code,
    level: GOLD,
    operationId: 'test-operation',
    rewards: [],
    test: true,
  };
}

function testRisk(_clientId: string, now: Date): LevelAtRiskJson {
  return {
    accountId: newId(),
    externalId: TEST_EXTERNAL_ID,
    trackId: newId(),
    trackCode: 'tier',
    level: GOLD,
    levelAfterReview: SILVER,
    reviewAt: now.toISOString(),
    test: true,
  };
}

function testStreak(_clientId: string, now: Date): StreakAtRiskJson {
  return {
    accountId: newId(),
    externalId: TEST_EXTERNAL_ID,
    missionId: newId(),
    missionName: 'Test streak',
    current: 12,
    longest: 30,
    gracePeriodsLeft: 0,
    freezesOwned: 1,
    periodEndsAt: now.toISOString(),
    keepUntil: now.toISOString(),
    test: true,
  };
}

function testClose(_clientId: string, now: Date): LeaderboardClosedJson {
  const leaderboardId = newId();
  const at = now.toISOString();
  return {
    leaderboardId,
    name: 'Test leaderboard',
    run: {
      id: newId(),
      leaderboardId,
      periodKey: '2026-W13',
      since: at,
      until: at,
      status: 'CLOSED',
      closesAt: at,
      closedAt: at,
      entries: 1,
      prizesDelivered: 1,
      leagues: [],
      promoted: 0,
      relegated: 0,
    },
    winners: [{ accountId: newId(), externalId: TEST_EXTERNAL_ID, rank: 1, value: 42, rewardIds: [newId()] }],
    test: true,
  };
}

function testPoints(_clientId: string, now: Date): PointsChangedJson {
  return {
    accountId: newId(),
    entry: {
      id: newId(),
      type: 'EARN',
      amount: 100,
      balanceAfter: 350,
      sourceType: 'EARNED_REWARD',
      sourceId: newId(),
      operationId: 'test-operation',
      createdAt: now.toISOString(),
    },
    test: true,
  };
}

function testEarned(_clientId: string, now: Date): RewardEarnedJson {
  return {
    earnedRewardId: newId(),
    accountId: newId(),
    rewardId: newId(),
    rewardType: 'POINTS',
    amount: 100,
    status: 'DELIVERED',
    missionId: newId(),
    codes: [],
    createdAt: now.toISOString(),
    test: true,
  };
}

const TEST_CODE = { code: 'TEST-CODE', item: { id: newId(), name: 'Test item' } };

function testSettled(): PendingRewardSettledJson {
  return {
    earnedRewardId: newId(),
    accountId: newId(),
    rewardId: newId(),
    rewardType: 'PRODUCTS',
    amount: 1,
    outcome: 'DELIVERED',
    productId: newId(),
    codes: [TEST_CODE],
    test: true,
  };
}

function testRedemption(_clientId: string, now: Date): RedemptionChangedJson {
  return {
    redemptionId: newId(),
    accountId: newId(),
    productId: newId(),
    productName: 'Test product',
    source: 'MARKETPLACE',
    sourceId: newId(),
    quantity: 1,
    pointsSpent: 100,
    status: 'COMPLETED',
    codes: [TEST_CODE],
    createdAt: now.toISOString(),
    test: true,
  };
}

function testReservation(_clientId: string, now: Date): ReservationChangedJson {
  const accountId = newId();
  const at = now.toISOString();
  return {
    accountId,
    reservation: {
      id: newId(),
      publicationId: newId(),
      accountId,
      quantity: 1,
      status: 'ACTIVE',
      expiresAt: at,
      createdAt: at,
      pointsCost: 100,
    },
    test: true,
  };
}

function testStockChange(): StockChangedJson {
  return { productId: newId(), change: -1, stock: 9, allocated: 0, test: true };
}

function testOpening(_clientId: string, now: Date): ChestOpenedJson {
  const [accountId, at] = [newId(), now.toISOString()];
  const entries = [{ rewardId: newId(), weight: 10, guaranteed: false, drawn: true }];
  const roll = { seed: '0123456789abcdef0123456789abcdef', draw: 3, totalWeight: 10, entries };
  const chest = { id: newId(), chestId: newId(), name: 'Test chest', accountId, createdAt: at, openedAt: at, roll };
  return { accountId, chest, test: true };
}

function testFreezes(_clientId: string, now: Date): StreakFreezesChangedJson {
  const entry = {
    id: newId(),
    type: 'EARN',
    amount: 1,
    effectiveAt: now.toISOString(),
    missionId: newId(),
    milestone: 7,
  } as const;
  return { accountId: newId(), entry, test: true };
}

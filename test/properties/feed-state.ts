// Adds up the changes of a feed, and reads nothing else.
import type { RestAnswer } from '../support/service.ts';

type Json = RestAnswer['body'];

/** The things of one account. */
export type AccountState = {
  points: number;
  /** The status of each redemption. */
  readonly redemptions: Map<string, string>;
  /** The units of each open reservation. */
  readonly reserved: Map<string, number>;
  /** Its earned rewards by id, with their status. */
  readonly rewards: Map<string, 'DELIVERED' | 'PENDING_STOCK'>;
  /** Pieces by product. */
  readonly pieces: Map<string, number>;
  /** Closed chests. */
  chests: number;
  /** Streak freezes. */
  freezes: number;
};

/** The state that a reader of the feed has. */
export type FeedState = {
  account(id: string): AccountState;
  /** The units of products, as the sum of their changes. */
  readonly stocks: Map<string, number>;
};

/** Adds up changes from the beginning of a feed. @param piecesOf the pieces that make a unit of a product */
export function stateOf(rows: readonly Json[], piecesOf: (productId: string) => number): FeedState {
  const accounts = new Map<string, AccountState>();
  const stocks = new Map<string, number>();
  /** The product of each earned reward of pieces. */
  const productOf = new Map<string, string>();
  /** The earned rewards that are chests. */
  const chestRewards = new Set<string>();
  const account = (id: string): AccountState => {
    const known = accounts.get(id);
    if (known !== undefined) return known;
    const maps = { redemptions: new Map(), reserved: new Map(), rewards: new Map(), pieces: new Map() };
    const state: AccountState = { points: 0, chests: 0, freezes: 0, ...maps };
    accounts.set(id, state);
    return state;
  };
  const add = (counts: Map<string, number>, key: string, count: number) =>
    counts.set(key, (counts.get(key) ?? 0) + count);

  const steps: Readonly<Record<string, (row: Json) => void>> = {
    POINTS_CHANGED({ pointsChanged: { accountId, entry } }) {
      account(accountId).points += entry.amount;
    },
    REWARD_EARNED({ rewardEarned: { earnedRewardId, accountId, rewardType, productId, amount, status } }) {
      const { rewards, pieces } = account(accountId);
      rewards.set(earnedRewardId, status);
      if (rewardType === 'CHEST') {
        chestRewards.add(earnedRewardId);
        account(accountId).chests += amount;
      }
      if (rewardType !== 'FRAGMENTS') return;
      productOf.set(earnedRewardId, productId);
      add(pieces, productId, amount);
    },
    PENDING_REWARD_SETTLED({ pendingRewardSettled: { earnedRewardId, accountId, productId, amount, outcome } }) {
      const { rewards, pieces } = account(accountId);
      if (outcome === 'DELIVERED') rewards.set(earnedRewardId, 'DELIVERED');
      else rewards.delete(earnedRewardId);
      if (outcome === 'CANCELLED' && productOf.delete(earnedRewardId)) add(pieces, productId, -amount);
    },
    REWARDS_REVERSED({ rewardsReversed: { accountId, rewards } }) {
      for (const { earnedRewardId, amountReversed } of rewards) {
        const productId = productOf.get(earnedRewardId);
        if (productId !== undefined) add(account(accountId).pieces, productId, -amountReversed);
        if (chestRewards.has(earnedRewardId)) account(accountId).chests -= amountReversed;
      }
    },
    REDEMPTION_CHANGED({ redemptionChanged: { redemptionId, accountId, productId, source, quantity, status } }) {
      const { redemptions, pieces } = account(accountId);
      if (source === 'FRAGMENTS' && !redemptions.has(redemptionId))
        add(pieces, productId, -quantity * piecesOf(productId));
      redemptions.set(redemptionId, status);
    },
    RESERVATION_CHANGED({ reservationChanged: { accountId, reservation } }) {
      const { reserved } = account(accountId);
      if (reservation.status === 'ACTIVE') reserved.set(reservation.id, reservation.quantity);
      else reserved.delete(reservation.id);
    },
    CHEST_OPENED({ chestOpened: { accountId } }) {
      account(accountId).chests -= 1;
    },
    STREAK_FREEZES_CHANGED({ streakFreezesChanged: { accountId, entry } }) {
      account(accountId).freezes += entry.amount;
    },
    STOCK_CHANGED({ stockChanged: { productId, change, stock } }) {
      add(stocks, productId, change);
      if (stocks.get(productId) !== stock) stocks.set(productId, NaN);
    },
  };
  for (const row of rows) steps[row.type]?.(row);
  return { account, stocks };
}

import type { Amount } from '../kernel/amount.ts';
import { newId } from '../kernel/ids.ts';
import { type Micros, microsOf } from './micros.ts';

/** The sums of one account's entries, as in its balance row. */
export type PointBalance = {
  readonly accountId: string;
  available: Amount;
  spent: Amount;
  expired: Amount;
  lifetimeEarned: Amount;
  /** Reversed points that the account had spent: its next credits pay them. */
  debt: Amount;
  /** The earliest expiry of open lots. It may be too early after spending, but never too late. */
  nextExpiresAt: Date | undefined;
  /** The time of the latest entry; the next one is later. */
  lastEntryAt: Micros | undefined;
};

/** The kinds of movements. */
export type PointEntryType = 'EARN' | 'SPEND' | 'EXPIRE' | 'REFUND' | 'ADJUST' | 'REVERSE' | 'MERGE';

/** Points of one movement with the same expiry. */
export type LotPart = {
  /** Above 0. */
  readonly amount: Amount;
  /** The expiry; undefined means never. */
  readonly expiresAt: Date | undefined;
};

/** A movement of points before its entry. */
export type PointMovement = {
  readonly accountId: string;
  readonly type: PointEntryType;
  /** Signed; negative if the balance falls. */
  readonly amount: Amount;
  /** The time of the movement. The entry may be microseconds later, after the account's latest one. */
  readonly at: Date;
  /** The expiry of credited points; undefined means never. Ignored if the balance falls. */
  readonly expiresAt?: Date | undefined;
  /** Replaces `expiresAt` if credited points have several expiries; the parts add up to `amount`. */
  readonly parts?: readonly LotPart[] | undefined;
  /** Counts as earned although it is an ADJUST. */
  readonly earned?: true | undefined;
  /** The cause of the movement, for example `EARNED_REWARD`, and its id. */
  readonly sourceType: string;
  readonly sourceId?: string | undefined;
  readonly operationId?: string | undefined;
  /** The reason given by an operator. */
  readonly reason?: string | undefined;
};

/** One entry of the ledger. */
export type PointEntry = Omit<PointMovement, 'at' | 'expiresAt' | 'parts'> & {
  readonly id: string;
  readonly balanceAfter: Amount;
  readonly createdAt: Micros;
};

/**
 * Points credited together with one expiry. The lot has the id of the entry that credited it. If an entry credited
 * several lots, only the first has its id.
 */
export type PointLot = {
  readonly id: string;
  readonly accountId: string;
  readonly amount: Amount;
  readonly expiresAt: Date | undefined;
  readonly createdAt: Date;
};

/** The balances of locked accounts, and the movements entered since their reading but not yet written. */
export type Ledger = {
  readonly balances: Map<string, PointBalance>;
  readonly entries: PointEntry[];
  readonly lots: PointLot[];
  /** The amounts that spendings took from lots with an expiry, by the ids of their entries. */
  readonly drawn: Map<string, readonly LotPart[]>;
};

/**
 * Enters a movement: changes the balance, adds the entry, and adds a lot for credited points. The caller draws the lots for a falling
 * balance, and moves those of a MERGE.
 */
export function enter(ledger: Ledger, movement: PointMovement): PointEntry {
  const { at, expiresAt, parts, ...rest } = movement;
  const balance = balanceOf(ledger, movement.accountId);
  applyTo(balance, movement);
  const createdAt = Math.max(microsOf(at), (balance.lastEntryAt ?? 0) + 1);
  balance.lastEntryAt = createdAt;
  const entry = { ...rest, id: newId(), balanceAfter: balance.available, createdAt };
  ledger.entries.push(entry);
  if (movement.amount > 0n && movement.type !== 'MERGE')
    credit(ledger, balance, entry, at, parts ?? [{ amount: movement.amount, expiresAt }]);
  return entry;
}

/** The account's balance in this ledger; an account without a row begins at zero. */
export function balanceOf(ledger: Ledger, accountId: string): PointBalance {
  const known = ledger.balances.get(accountId);
  if (known !== undefined) return known;
  const empty = emptyBalance(accountId);
  ledger.balances.set(accountId, empty);
  return empty;
}

const DAY = 24 * 60 * 60 * 1000;

/** The expiry of points credited at `at`, in days of 24 hours; undefined means never. */
export function expiryOf(at: Date, days: number | undefined): Date | undefined {
  return days === undefined ? undefined : new Date(at.getTime() + days * DAY);
}

/** The balance of an account that never had points. */
export function emptyBalance(accountId: string): PointBalance {
  const nothing = { available: 0n, spent: 0n, expired: 0n, lifetimeEarned: 0n, debt: 0n };
  return { accountId, ...nothing, nextExpiresAt: undefined, lastEntryAt: undefined };
}

/** Whether the account may have expired points. */
export function isDue(balance: PointBalance, now: Date): boolean {
  return balance.nextExpiresAt !== undefined && balance.nextExpiresAt <= now;
}

function applyTo(balance: PointBalance, { type, amount, earned }: PointMovement): void {
  balance.available += amount;
  if (type === 'EARN' || type === 'REVERSE' || earned) balance.lifetimeEarned += amount;
  if (type === 'EXPIRE') balance.expired -= amount;
  // Returned points count as unspent.
  if (type === 'SPEND' || type === 'REFUND') balance.spent -= amount;
}

function credit({ lots }: Ledger, balance: PointBalance, entry: PointEntry, at: Date, parts: readonly LotPart[]): void {
  for (const [index, { amount, expiresAt }] of parts.entries()) {
    const id = index === 0 ? entry.id : newId();
    lots.push({ id, accountId: entry.accountId, amount, expiresAt, createdAt: at });
    if (expiresAt === undefined) continue;
    if (balance.nextExpiresAt === undefined || expiresAt < balance.nextExpiresAt) balance.nextExpiresAt = expiresAt;
  }
}

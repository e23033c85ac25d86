import type { Amount } from '../kernel/amount.ts';
import { newId } from '../kernel/ids.ts';
import { type Micros, microsOf } from './micros.ts';

/** The sums of one account's entries, as its balance row holds them. */
export type PointBalance = {
  readonly accountId: string;
  available: Amount;
  spent: Amount;
  expired: Amount;
  lifetimeEarned: Amount;
  /** No open lot expires earlier. It may be too early, after spending; never too late. */
  nextExpiresAt: Date | undefined;
  /** When the latest entry was made; the next one is later. */
  lastEntryAt: Micros | undefined;
};

/** Why points move. */
export type PointEntryType = 'EARN' | 'SPEND' | 'EXPIRE' | 'REFUND' | 'ADJUST';

/** Points of one movement that expire at one moment. */
export type LotPart = {
  /** Above 0. */
  readonly amount: Amount;
  /** Undefined means never. */
  readonly expiresAt: Date | undefined;
};

/** One movement of points that is to be entered. */
export type PointMovement = {
  readonly accountId: string;
  readonly type: PointEntryType;
  /** Signed: negative where the balance falls. */
  readonly amount: Amount;
  /** When it happens. The entry may be microseconds later, after the account's latest one. */
  readonly at: Date;
  /** When what is credited expires; undefined means never. Without meaning where the balance falls. */
  readonly expiresAt?: Date | undefined;
  /** Instead of `expiresAt`, where not all that is credited expires at one moment; they add up to `amount`. */
  readonly parts?: readonly LotPart[] | undefined;
  /** Counts as earned although it is an ADJUST. */
  readonly earned?: true | undefined;
  /** The cause of the movement, for example `EARNED_REWARD`, and its id. */
  readonly sourceType: string;
  readonly sourceId?: string | undefined;
  readonly operationId?: string | undefined;
  /** An operator's words. */
  readonly reason?: string | undefined;
};

/** One line of the ledger. */
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

/** The balances of locked accounts, and what has been entered since they were read but is not written yet. */
export type Ledger = {
  readonly balances: Map<string, PointBalance>;
  readonly entries: PointEntry[];
  readonly lots: PointLot[];
  /** The amounts that spendings took from lots with an expiry, by the ids of their entries. */
  readonly drawn: Map<string, readonly LotPart[]>;
};

/**
 * Enters a movement: moves the balance, adds the line, and a lot where points are credited. Lots that a falling balance
 * empties are the caller's to draw.
 */
export function enter(ledger: Ledger, movement: PointMovement): PointEntry {
  const { at, expiresAt, parts, ...rest } = movement;
  const balance = balanceOf(ledger, movement.accountId);
  applyTo(balance, movement);
  const createdAt = Math.max(microsOf(at), (balance.lastEntryAt ?? 0) + 1);
  balance.lastEntryAt = createdAt;
  const entry = { ...rest, id: newId(), balanceAfter: balance.available, createdAt };
  ledger.entries.push(entry);
  if (movement.amount > 0n) credit(ledger, balance, entry, at, parts ?? [{ amount: movement.amount, expiresAt }]);
  return entry;
}

/** The account's balance in this ledger; an account without a row starts at nothing. */
export function balanceOf(ledger: Ledger, accountId: string): PointBalance {
  const known = ledger.balances.get(accountId);
  if (known !== undefined) return known;
  const empty = emptyBalance(accountId);
  ledger.balances.set(accountId, empty);
  return empty;
}

const DAY = 24 * 60 * 60 * 1000;

/** When points credited at `at` expire, in days of 24 hours; undefined means never. */
export function expiryOf(at: Date, days: number | undefined): Date | undefined {
  return days === undefined ? undefined : new Date(at.getTime() + days * DAY);
}

/** The balance of an account that never had points. */
export function emptyBalance(accountId: string): PointBalance {
  const nothing = { available: 0n, spent: 0n, expired: 0n, lifetimeEarned: 0n };
  return { accountId, ...nothing, nextExpiresAt: undefined, lastEntryAt: undefined };
}

/** Whether the account may have points whose time is up. */
export function isDue(balance: PointBalance, now: Date): boolean {
  return balance.nextExpiresAt !== undefined && balance.nextExpiresAt <= now;
}

function applyTo(balance: PointBalance, { type, amount, earned }: PointMovement): void {
  balance.available += amount;
  if (type === 'EARN' || earned) balance.lifetimeEarned += amount;
  if (type === 'EXPIRE') balance.expired -= amount;
  // Returned points count as never spent.
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

// Accounts, chests and claims are numbered, so that callers, pgbench and the statements that fill the tables agree on their ids.
import { accountIdOf, accountIdSql } from '../growth/accounts.ts';

/** The number of accounts of the shop. */
export const ACCOUNTS = 50_000;

/** The initial points of each account; a purchase costs one. */
export const POINTS = 1_000_000;

/** The two sides of work that can be done once, each with different rows. */
export type Side = 'service' | 'hand';

/** Consecutive numbers belong to distant accounts. It divides no number of accounts. */
const STEP = 7_919;

/** The owner of the chest or claim with this number. */
export function ownerOf(number: number): string {
  return accountIdOf((number * STEP) % ACCOUNTS);
}

/** SQL for the owner of a number. @param number an expression that gives a whole number */
export function ownerSql(number: string): string {
  return accountIdSql(`((${number})::bigint * ${STEP}) % ${ACCOUNTS}`);
}

/** The beginning of every chest's id. */
const CHESTS: Readonly<Record<Side, string>> = {
  service: '01900000-0000-7000-9000-',
  hand: '01900000-0000-7000-9001-',
};

/** The id of a chest by its number. */
export function chestIdOf(side: Side, number: number): string {
  return CHESTS[side] + number.toString(16).padStart(12, '0');
}

/** SQL for the id of a chest by its number. @param number an expression that gives a whole number */
export function chestIdSql(side: Side, number: string): string {
  return `('${CHESTS[side]}' || lpad(to_hex((${number})::bigint), 12, '0'))::uuid`;
}

/** The index of a claim's campaign, from 0: all accounts claim one campaign, then all claim the next. */
export function campaignOf(claim: number): number {
  return Math.floor(claim / ACCOUNTS);
}

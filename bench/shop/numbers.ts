// Accounts, chests and claims are numbered, so that callers, pgbench and the statements that fill the tables agree on their ids.
import { accountIdOf, accountIdSql } from '../growth/accounts.ts';

/** Accounts of the shop. */
export const ACCOUNTS = 50_000;

/** Points that each of them has at first; a purchase costs one. */
export const POINTS = 1_000_000;

/** Who does things that can be done once, each with rows of its own. */
export type Side = 'service' | 'hand';

/** Numbers that follow each other belong to accounts far apart. It divides no number of accounts. */
const STEP = 7_919;

/** Whose chest or claim has this number. */
export function ownerOf(number: number): string {
  return accountIdOf((number * STEP) % ACCOUNTS);
}

/** The same in SQL. @param number an expression that gives a whole number */
export function ownerSql(number: string): string {
  return accountIdSql(`((${number})::bigint * ${STEP}) % ${ACCOUNTS}`);
}

/** What every chest's id begins with. */
const CHESTS: Readonly<Record<Side, string>> = {
  service: '01900000-0000-7000-9000-',
  hand: '01900000-0000-7000-9001-',
};

/** The id of a chest by its number. */
export function chestIdOf(side: Side, number: number): string {
  return CHESTS[side] + number.toString(16).padStart(12, '0');
}

/** The same in SQL. @param number an expression that gives a whole number */
export function chestIdSql(side: Side, number: string): string {
  return `('${CHESTS[side]}' || lpad(to_hex((${number})::bigint), 12, '0'))::uuid`;
}

/** Which campaign a claim is of: all accounts claim one, then all claim the next. The first is 0. */
export function campaignOf(claim: number): number {
  return Math.floor(claim / ACCOUNTS);
}

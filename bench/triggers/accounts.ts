import { hash } from 'node:crypto';

/** Accounts that exist before the first event: as many as the floor has. */
export const ACCOUNT_COUNT = 100_000;

/** The id of an account by its number. Scattered over the index, as ids from another system would be at worst. */
export function accountIdOf(number: number): string {
  const hex = hash('md5', `account ${number}`);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

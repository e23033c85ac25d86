import { hash } from 'node:crypto';

/** Accounts before the first event: the same number as the floor's. */
export const ACCOUNT_COUNT = 100_000;

/** The id of an account by its number. It is scattered over the index, like the worst ids of another system. */
export function accountIdOf(number: number): string {
  const hex = hash('md5', `account ${number}`);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

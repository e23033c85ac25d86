import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CoffeeShop } from './coffee-shop.ts';

const source = readFileSync(fileURLToPath(new URL('../../../src/console/routes.tsx', import.meta.url)), 'utf8');

/** Addresses for people who are not signed in, or who must do another step first. */
const OUTSIDE = ['/sign-in', '/change-password'];

/**
 * Every address of the console in `routes.tsx`: each quoted text with a slash in front. The tests of all pages visit a new page as well; a
 * page with a parameter needs an id in support/coffee-shop.ts.
 */
export const addresses: readonly string[] = [...source.matchAll(/['"](\/[^'"]*)['"]/g)]
  .map(([, path]) => path ?? '')
  .filter((path) => !OUTSIDE.includes(path));

/** The number of pages whose code `routes.tsx` fetches: one for each address, with those in {@link OUTSIDE}. */
export const pagesFetched = [...source.matchAll(/import\('\.\/pages\//g)].length - OUTSIDE.length;

/** Each tab of an account's page, which users see as a separate page. */
export const accountTabs = [
  'progress',
  'rewards',
  'badges',
  'points',
  'statistics',
  'redemptions',
  'chests',
  'merges',
].map((tab) => `/accounts/:id?tab=${tab}`);

/** The address with an id in place of its parameter. Throws if the coffee shop has no such id. */
export function withIds(path: string, shop: CoffeeShop): string {
  if (!path.includes(':')) return path;
  const id = shop.ids[path.replace(/\?.*/, '')];
  if (id === undefined) throw new Error(`Name an id for ${path} in support/coffee-shop.ts.`);
  return path.replace(/:\w+/, id);
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CoffeeShop } from './coffee-shop.ts';

const source = readFileSync(fileURLToPath(new URL('../../../src/console/routes.tsx', import.meta.url)), 'utf8');

/** Addresses that only those see who are not signed in, or who must do something else first. */
const OUTSIDE = ['/sign-in', '/change-password'];

/**
 * Every address of the console, as `routes.tsx` has them: what it quotes with a slash in front is one. A page that is added there
 * is visited by the tests of all pages; one with a parameter needs an id in support/coffee-shop.ts.
 */
export const addresses: readonly string[] = [...source.matchAll(/['"](\/[^'"]*)['"]/g)]
  .map(([, path]) => path ?? '')
  .filter((path) => !OUTSIDE.includes(path));

/** How many pages `routes.tsx` fetches the code of: one for each address, with those {@link OUTSIDE}. */
export const pagesFetched = [...source.matchAll(/import\('\.\/pages\//g)].length - OUTSIDE.length;

/** Each tab of the page of an account, which is a page of its own to those who see it. */
export const accountTabs = ['progress', 'rewards', 'points', 'redemptions', 'chests'].map(
  (tab) => `/accounts/:id?tab=${tab}`,
);

/** The address with an id in the place of its parameter. Throws for one that the coffee shop has no id for. */
export function withIds(path: string, shop: CoffeeShop): string {
  if (!path.includes(':')) return path;
  const id = shop.ids[path.replace(/\?.*/, '')];
  if (id === undefined) throw new Error(`Name an id for ${path} in support/coffee-shop.ts.`);
  return path.replace(/:\w+/, id);
}

import { HandCoins, Handshake, type LucideIcon, PackageOpen, ShoppingCart } from 'lucide-react';
import type { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { navigation } from '../shell/navigation.ts';

/** A page that can be gone to by its name. */
export type PageEntry = {
  readonly key: string;
  /** Keys of its texts from the root of the catalogue, the first of which names it. */
  readonly names: readonly string[];
  readonly path: string;
  readonly icon: LucideIcon;
  readonly needs?: Permission | undefined;
};

/** Pages below an entry of the navigation, and searchable parts of pages. */
const below: readonly PageEntry[] = [
  { key: 'chests', names: ['rewards.chests'], path: '/rewards/chests', icon: PackageOpen },
  { key: 'agreements', names: ['marketplace.agreements'], path: '/marketplace/agreements', icon: Handshake },
  { key: 'reservations', names: ['marketplace.reservations'], path: '/marketplace/reservations', icon: HandCoins },
  { key: 'purchases', names: ['marketplace.purchases'], path: '/marketplace/purchases', icon: ShoppingCart },
];

/** Other words by which an entry of the navigation is found. */
const further: Readonly<Record<string, readonly string[]>> = {
  webhooks: [
    ...['REWARDS', 'PUBLICATION_STATUS', 'MISSION_COMPLETED', 'STOCK_LOW'].map((type) => `webhooks.types.${type}`),
    'endpoints.title',
  ],
};

/** All pages with an address, those of the navigation first. */
export const pages: readonly PageEntry[] = [
  ...navigation
    .flatMap(({ destinations }) => destinations)
    .map(({ key, path, icon, needs }) => ({
      key,
      path,
      icon,
      needs,
      names: [`navigation.${key}`, ...(further[key] ?? [])],
    })),
  ...below,
];

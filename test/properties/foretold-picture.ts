import type { State } from './model.ts';
import { expiresNext } from './point-book.ts';
import { CLAIM_TARGET } from './prizes.ts';
import { cancelledOf } from './purchase-book.ts';
import { availableOf } from './shop-book.ts';

/** What the service is to say in the end, when asked about everything. */
export function pictureOf(state: State): object {
  const { shop } = state;
  return {
    coupons: state.coupons,
    mugs: state.mugs,
    agreement: shop.agreement,
    offers: shop.offers.map((own) => ({
      stock: own.stock,
      available: availableOf(own),
      published: own.published,
      price: own.price,
    })),
    accounts: Object.fromEntries(
      Object.entries(state.accounts).map(([who, account]) => [
        who,
        {
          ...account,
          lots: undefined,
          bought: cancelledOf(account),
          expiresNext: expiresNext(account),
          pending: account.events >= CLAIM_TARGET && !account.hasClaimed ? 6 : 0,
          waiting: state.queue.filter((waiting) => waiting.who === who).length,
        },
      ]),
    ),
  };
}

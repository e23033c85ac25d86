import type { Player } from './calls.ts';
import type { State } from './model.ts';
import { expiresNext } from './point-book.ts';
import { brings, CLAIM_TARGET } from './prizes.ts';
import { cancelledOf } from './purchase-book.ts';
import { allocated, shownOffers } from './shop-book.ts';

/** The feed shows fragments at the time of earning, even if they wait for a coupon. */
function waitingPieces({ queue }: State, who: Player): number {
  const own = queue.filter((waiting) => waiting.who === who && brings[waiting.prize.type] === 'pieces');
  return own.reduce((sum, { prize }) => sum + prize.amount, 0);
}

/** The expected final state: the answers of all reads. */
export function expectedState(state: State): object {
  const { shop } = state;
  return {
    coupons: state.coupons,
    mugs: state.mugs,
    agreement: shop.agreement,
    freeMugs: state.mugs - allocated(shop),
    offers: shownOffers(shop),
    accounts: Object.fromEntries(
      Object.entries(state.accounts).map(([who, account]) => [
        who,
        {
          ...account,
          pieces: account.pieces + waitingPieces(state, who as Player),
          lots: undefined,
          earned: undefined,
          cancelled: undefined,
          bought: cancelledOf(account),
          expiresNext: expiresNext(account),
          pending: account.events >= CLAIM_TARGET && !account.hasClaimed ? 6 : 0,
          waiting: state.queue.filter((waiting) => waiting.who === who).length,
        },
      ]),
    ),
  };
}

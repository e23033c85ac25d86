import type { Call, Player } from './calls.ts';
import { brings, nameOf, PIECES_REQUIRED, type Prize } from './prizes.ts';
import { allocated, type Shop } from './shop-book.ts';

/** A reward that waits for coupons or mugs; `nth` is its position among the rewards of its account. */
export type Waiting = { readonly who: Player; readonly prize: Prize; readonly nth: number };

/** An account that collects fragments of coupons. */
export type Collector = {
  pieces: number;
  /** The positions of the rewards that were cancelled while they waited. */
  cancelled: number[];
};

/** The free stock and the queue for it, in order of arrival. A part of the mugs is allocated to publications. */
export type StockBook = {
  coupons: number;
  mugs: number;
  readonly shop: Shop;
  queue: Waiting[];
  readonly accounts: Record<Player, Collector>;
};

/** Mugs that are not allocated to a publication. */
export function freeMugs({ mugs, shop }: Pick<StockBook, 'mugs' | 'shop'>): number {
  return mugs - allocated(shop);
}

/** Delivers the first reward in the queue for which the units suffice, and repeats until none is left. Returns the number of deliveries. */
export function serveQueue(state: StockBook): number {
  const length = state.queue.length;
  for (;;) {
    const fitting = state.queue.findIndex((waiting) => serve(state, waiting));
    if (fitting === -1) return length - state.queue.length;
    state.queue.splice(fitting, 1);
  }
}

/** Cancels a waiting reward as an operator, or delivers it before others if the units suffice. */
export function settleWaiting(
  state: StockBook,
  { do: how, who, waiting }: Extract<Call, { do: 'cancelWaiting' | 'deliverWaiting' }>,
): string[] {
  const account = state.accounts[who];
  if (waiting === undefined || account.cancelled.includes(waiting.nth)) return ['404 EARNED_REWARD_NOT_FOUND'];
  const index = state.queue.findIndex((other) => other.who === who && other.nth === waiting.nth);
  const reward = state.queue[index];
  if (reward === undefined) return ['409 EARNED_REWARD_NOT_PENDING'];
  if (how === 'deliverWaiting' && !serve(state, reward)) return ['409 UNITS_NOT_FREE'];
  state.queue.splice(index, 1);
  if (how === 'cancelWaiting') account.cancelled = [...account.cancelled, waiting.nth].toSorted((a, b) => a - b);
  serveQueue(state);
  return [`200 ${nameOf(reward.prize)}`];
}

/** Delivers the units of a prize, if they suffice. */
export function serve(state: StockBook, { who, prize }: Waiting): boolean {
  const account = state.accounts[who];
  const units = unitsIn(account, prize);
  if (units > (prize.of === 'mug' ? freeMugs(state) : state.coupons)) return false;
  if (prize.of === 'mug') state.mugs -= units;
  else state.coupons -= units;
  if (brings[prize.type] === 'pieces') account.pieces += prize.amount - units * PIECES_REQUIRED;
  return true;
}

/** Units of a prize, with the fragments that the account already has. */
export function unitsIn(account: Collector, { type, amount }: Prize): number {
  if (brings[type] === 'units') return amount;
  return brings[type] === 'pieces' ? Math.floor((account.pieces + amount) / PIECES_REQUIRED) : 0;
}

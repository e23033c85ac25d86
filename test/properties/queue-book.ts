import type { Call, Player } from './calls.ts';
import { brings, nameOf, PIECES_REQUIRED, type Prize } from './prizes.ts';
import { allocated, type Shop } from './shop-book.ts';

/** A reward that waits for coupons or mugs; the how manieth that its account earned. */
export type Waiting = { readonly who: Player; readonly prize: Prize; readonly nth: number };

/** Who collects pieces of coupons, and may wait for some. */
export type Collector = {
  pieces: number;
  /** Which of the rewards that it earned were cancelled while they waited. */
  cancelled: number[];
};

/** What is left, and who waits for some, the first come first. Publications have some of the mugs. */
export type StockBook = {
  coupons: number;
  mugs: number;
  readonly shop: Shop;
  queue: Waiting[];
  readonly accounts: Record<Player, Collector>;
};

/** Mugs that no publication has. */
export function freeMugs({ mugs, shop }: Pick<StockBook, 'mugs' | 'shop'>): number {
  return mugs - allocated(shop);
}

/** Gives to the first in the queue whom the units suffice for, again and again. Gives how many rewards it delivered. */
export function serveQueue(state: StockBook): number {
  const length = state.queue.length;
  for (;;) {
    const fitting = state.queue.findIndex((waiting) => serve(state, waiting));
    if (fitting === -1) return length - state.queue.length;
    state.queue.splice(fitting, 1);
  }
}

/** An operator takes away what waits, or delivers it before others if there are enough units. */
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

/** Gives the units that a prize makes, if there are enough. */
export function serve(state: StockBook, { who, prize }: Waiting): boolean {
  const account = state.accounts[who];
  const units = unitsIn(account, prize);
  if (units > (prize.of === 'mug' ? freeMugs(state) : state.coupons)) return false;
  if (prize.of === 'mug') state.mugs -= units;
  else state.coupons -= units;
  if (brings[prize.type] === 'pieces') account.pieces += prize.amount - units * PIECES_REQUIRED;
  return true;
}

/** Units that a prize makes, with the pieces that the account holds. */
export function unitsIn(account: Collector, { type, amount }: Prize): number {
  if (brings[type] === 'units') return amount;
  return brings[type] === 'pieces' ? Math.floor((account.pieces + amount) / PIECES_REQUIRED) : 0;
}

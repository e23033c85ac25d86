import { type Call, contentOf, type Received, type Offer, operationOf, type Player } from './calls.ts';
import type { Moments } from './clock-jumps.ts';
import {
  brings,
  CLAIM_TARGET,
  claimed,
  completion,
  chestPrizes,
  gifts,
  series,
  nameOf,
  prices,
  type Prize,
} from './prizes.ts';
import { adjust, bookOf, earn, expire, roomOf } from './point-book.ts';
import { type Buyer, pay, takeBack } from './purchase-book.ts';
import { type Collector, freeMugs, serve, serveQueue, settleWaiting, unitsIn, type Waiting } from './queue-book.ts';
import {
  availableOf,
  closeReservations,
  emptyShop,
  expireReservations,
  forSale,
  pauseSoldOut,
  planPurchase,
  type Shop,
  withoutLapsed,
} from './shop-book.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** One account. */
type Account = Buyer &
  Collector & {
    events: number;
    hasClaimed: boolean;
    chests: number;
    opened: string[];
    /** The number of rewards that it ever earned. */
    earned: number;
  };

/** The expected state of the service, as plain data. */
export type State = {
  now: number;
  /** The time up to which points have expired. */
  trusted: number;
  /** The time of the activation of the campaigns. */
  readonly began: number;
  /** The content and the answer of each operation that took effect. */
  done: Record<string, { readonly content: string; readonly digest: string }>;
  accounts: Record<Player, Account>;
  coupons: number;
  queue: Waiting[];
  mugs: number;
  shop: Shop;
};

/** The initial state of a world. Bob starts with `bobsPoints`. */
export function beginning(now: number, bobsPoints = 0): State {
  const account = (points = 0): Account => ({
    ...bookOf(points),
    bought: {},
    events: 0,
    hasClaimed: false,
    pieces: 0,
    chests: 0,
    opened: [],
    earned: 0,
    cancelled: [],
  });
  const accounts = { ada: account(), bob: account(bobsPoints) };
  const moments = { now, trusted: now, began: now };
  return { ...moments, done: {}, accounts, coupons: 1, queue: [], mugs: 8, shop: emptyShop() };
}

/** The state some hours later. Only expiry happens without a call, and every read shows it as done. */
export function later(state: State, hours: number): State {
  const now = state.now + hours * HOUR;
  return withoutLapsed(at(state, { now, trusted: now }));
}

/** The state at the given times, which follow the clocks. An expired reservation stays until a call or housekeeping closes it. */
export function at<S extends State>(state: S, { now, trusted }: Moments): S {
  const next = { ...structuredClone(state), now, trusted };
  for (const account of Object.values(next.accounts)) expire(account, trusted);
  expireReservations(next.shop, now);
  return next;
}

/** The state after a round of housekeeping that trusts the clock. */
export function tidied(state: State, by: number): State {
  const next = structuredClone(state);
  closeReservations(next.shop, by);
  return next;
}

/**
 * The possible states after a call; {@link after} returns one of them. A sale closes the expired reservations. For other calls, and for
 * refused ones, the contract does not say whether they close them.
 */
export function outcomes(before: State, call: Call, next: State): State[] {
  const closed = withoutLapsed(next);
  if (closed === next || !('offer' in call)) return [next];
  return next !== before && (call.do === 'freeze' || call.do === 'redeem') ? [closed] : [next, closed];
}

/**
 * The state after a call without concurrent calls; undefined if the call would have a different answer.
 * @param mayBeBusy a concurrent call is the same operation with the same id
 */
export function after(state: State, call: Call, received: Received, mayBeBusy: boolean): State | undefined {
  if (mayBeBusy && received.digest === '409 OPERATION_IN_PROGRESS') return state;
  const stored = takesOperationId(call) ? state.done[operationOf(call)] : undefined;
  if (stored !== undefined && stored.content !== contentOf(call)) {
    // An asynchronous event that was accepted just before another call took its id becomes a dead trigger.
    const isLetter = call.do === 'emitLater' && mayBeBusy && received.digest === '200';
    return received.digest === '400 OPERATION_ID_REUSED' || isLetter ? state : undefined;
  }
  // The answer to an asynchronous event precedes its effect, so it is the same for every effect.
  if (stored !== undefined) return received.digest === stored.digest || call.do === 'emitLater' ? state : undefined;
  const next = at(state, state);
  const allowed = perform(next, call, received);
  if (call.do === 'emitLater') {
    return received.digest === '200' ? withAnswer(next, call, allowed[0]!) : undefined;
  }
  if (!allowed.includes(received.digest)) return undefined;
  if (/^(400|404|409)/.test(received.digest)) return state;
  return takesOperationId(call) ? withAnswer(next, call, received.digest) : next;
}

/** Sorts operations by id, so that equal states have equal JSON. */
function withAnswer(state: State, call: Call, digest: string): State {
  const answer = { content: contentOf(call), digest };
  const done = Object.entries({ ...state.done, [operationOf(call)]: answer }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...state, done: Object.fromEntries(done) };
}

/** The calls without an operation id: a repeat is a new call. */
const UNNAMED = [
  'publish',
  'unpublish',
  'reprice',
  'unfreeze',
  'restock',
  'withdraw',
  'cancelWaiting',
  'deliverWaiting',
];

function takesOperationId(call: Call): boolean {
  return !UNNAMED.includes(call.do);
}

/** Performs the call and returns the correct answers: each of several reasons for a refusal is correct. */
function perform(state: State, call: Call, received: Received): string[] {
  switch (call.do) {
    case 'emit':
    case 'emitLater':
      return [emit(state, call.who)];
    case 'claim':
    case 'claimFor':
      return claim(state, call.who);
    case 'openChest':
    case 'openChestFor':
      return openChest(state, call.who, call.chestId, received);
    case 'grant':
      return [['200', ...deliver(state, call.who, [gifts[call.gift]!])].join(' ')];
    case 'cancelWaiting':
    case 'deliverWaiting':
      return settleWaiting(state, call);
    case 'buy':
      return buy(state, call, received);
    case 'cancel':
      return takeBack(state.accounts[call.who], call.redemptionId ?? '', state.now, untilIn(state, call.days));
    case 'adjust':
      if (call.amount > roomOf(state.accounts[call.who])) return ['400 BAD_REQUEST'];
      adjust(state.accounts[call.who], call.amount, untilIn(state, call.days), call.earned);
      return [`200 ${call.amount}`];
    case 'restock':
      return restock(state, call);
    default:
      return trade(state, call, received);
  }
}

function untilIn({ now }: State, days: number | undefined): number | undefined {
  return days === undefined ? undefined : now + days * 24 * HOUR;
}

function emit(state: State, who: Player): string {
  const account = state.accounts[who];
  const count = account.events + 1;
  // An event from before the campaign's activation does not count, with a tolerance of one minute.
  if (state.now < state.began - MINUTE) return '200';
  const targets = [...series.map((_, index) => index + 1), CLAIM_TARGET].filter((target) => target >= count);
  if (targets.length === 0) return '200';
  account.events = count;
  const prizes = [series[count - 1]!, ...(count === series.length ? completion : [])];
  return ['200', ...targets.map((target) => `${count}/${target}`), ...deliver(state, who, prizes)].join(' ');
}

function claim(state: State, who: Player): string[] {
  const account = state.accounts[who];
  if (account.events < CLAIM_TARGET) return ['409 CAMPAIGN_NOT_COMPLETED'];
  if (account.hasClaimed) return ['409 CAMPAIGN_ALREADY_CLAIMED'];
  account.hasClaimed = true;
  return [['200', ...deliver(state, who, claimed)].join(' ')];
}

function openChest(state: State, who: Player, chestId: string | undefined, { drawn = [] }: Received): string[] {
  const { opened, chests } = state.accounts[who];
  if (chestId === undefined || chests === 0) return ['404 CHEST_NOT_FOUND'];
  if (opened.includes(chestId)) return ['409 CHEST_ALREADY_OPENED'];
  state.accounts[who].opened = [...opened, chestId].toSorted();
  const prizes = chestPrizes.filter((prize) => drawn.includes(nameOf(prize)));
  return [['200', ...deliver(state, who, prizes)].join(' ')];
}

function buy(state: State, { who, what, units }: Extract<Call, { do: 'buy' }>, received: Received): string[] {
  const cost = prices[what] * units;
  const refusals = [];
  const stock = what === 'mug' ? freeMugs(state) : state.coupons;
  if (stock < units) refusals.push('409 OUT_OF_STOCK');
  if (state.accounts[who].available < cost) refusals.push('409 INSUFFICIENT_POINTS');
  if (refusals.length > 0) return refusals;
  if (what === 'mug') state.mugs -= units;
  else state.coupons -= units;
  pay(state.accounts[who], received.redemptionId ?? '', cost, state.now);
  return [`200 ${units} for ${cost} codes ${what === 'coupon' ? units : 0}`];
}

function restock(state: State, { what, offer, units }: Extract<Call, { do: 'restock' }>): string[] {
  if (what === 'offer' && freeMugs(state) < units) return ['409 UNITS_NOT_FREE'];
  if (what === 'offer') state.shop.offers[offer].stock += units;
  if (what === 'agreement') state.shop.agreement += units;
  if (what === 'offer' || what === 'agreement') return ['200'];
  if (what === 'mug') state.mugs += units;
  else state.coupons += units;
  return [`200 delivered ${serveQueue(state)}`];
}

function trade(
  state: State,
  call: Extract<
    Call,
    { offer: Offer; do: 'freeze' | 'unfreeze' | 'redeem' | 'publish' | 'unpublish' | 'reprice' | 'withdraw' }
  >,
  received: Received,
): string[] {
  const { shop } = state;
  const own = shop.offers[call.offer];
  switch (call.do) {
    case 'publish':
      if (!own.published && forSale(shop, call.offer) <= 0) return ['409 OUT_OF_STOCK'];
      own.published = true;
      return ['200 PUBLISHED_ON_MARKETPLACE'];
    case 'withdraw':
      if (availableOf(own) < call.units) return ['409 OUT_OF_STOCK'];
      own.stock -= call.units;
      serveQueue(state);
      return ['200'];
    case 'unpublish':
      own.published = false;
      return ['200 DRAFT'];
    case 'reprice':
      own.price = call.price ?? 0;
      return [`200 ${call.price}`];
    case 'unfreeze': {
      const mine = own.reservations.filter(({ who }) => who === call.who);
      own.reservations = own.reservations.filter(({ who }) => who !== call.who);
      return [`200 released ${mine.reduce((sum, { units }) => sum + units, 0)}`];
    }
    case 'freeze': {
      const refusals = refusalsOf(shop, call.offer, call.units);
      if (refusals.length > 0) return refusals;
      const until = state.now + call.hours * HOUR;
      own.reservations.push({ who: call.who, units: call.units, until, price: own.price });
      return [`200 ${call.units}`];
    }
    case 'redeem':
      return redeem(state, call, received);
  }
}

function redeem(state: State, { who, offer, units }: Extract<Call, { do: 'redeem' }>, received: Received): string[] {
  const { shop, accounts } = state;
  const plan = planPurchase(shop, offer, who, units);
  const { cost } = plan;
  const refusals = plan.free > 0 ? refusalsOf(shop, offer, plan.free) : [];
  if (accounts[who].available < cost) refusals.push('409 INSUFFICIENT_POINTS');
  if (refusals.length > 0) return refusals;
  shop.offers[offer].reservations = plan.left;
  shop.offers[offer].stock -= plan.units;
  shop.agreement -= plan.units;
  state.mugs -= plan.units;
  pay(accounts[who], received.redemptionId ?? '', cost, state.now);
  pauseSoldOut(shop, offer);
  return [`200 ${plan.units} for ${cost} codes 0`];
}

function refusalsOf(shop: Shop, offer: Offer, units: number): string[] {
  const refusals = [];
  if (!shop.offers[offer].published) refusals.push('409 PUBLICATION_NOT_PUBLISHED');
  if (forSale(shop, offer) < units) refusals.push('409 OUT_OF_STOCK');
  return refusals;
}

/** Delivers prizes in order, or queues them. Returns the digest of each: delivered prizes first, then waiting ones. */
function deliver(state: State, who: Player, prizes: readonly Prize[]): string[] {
  const delivered: string[] = [];
  const pending: string[] = [];
  for (const prize of prizes) {
    const account = state.accounts[who];
    const room = roomOf(account);
    const codes = hand(state, { who, prize, nth: account.earned });
    account.earned += 1;
    if (codes === undefined) pending.push(`${nameOf(prize)} PENDING_STOCK`);
    else delivered.push(`${nameOf(paid(prize, room))} DELIVERED codes ${codes}`);
  }
  return [...delivered, ...pending];
}

/**
 * The number of codes that the account gets with a prize; undefined if the prize waits. The free stock is too small for each waiting
 * reward, so a new prize that it suffices for is served at once.
 */
function hand(state: State, waiting: Waiting): number | undefined {
  const { who, prize } = waiting;
  const account = state.accounts[who];
  if (brings[prize.type] === 'points') earn(account, prize.amount, untilIn(state, prize.days));
  if (brings[prize.type] === 'chests') account.chests += prize.amount;
  const units = unitsIn(account, prize);
  const served = serve(state, waiting);
  if (!served) state.queue.push(waiting);
  // Combined fragments leave fewer loose fragments, so that others in the queue may need fewer coupons.
  serveQueue(state);
  if (!served) return undefined;
  return prize.of === 'mug' ? 0 : units;
}

/** The digest of a paid prize: for points, the paid part and the part above the maximum balance. */
function paid(prize: Prize, room: number): Prize & { amountUnpaid?: number } {
  if (brings[prize.type] !== 'points' || prize.amount <= room) return prize;
  return { ...prize, amount: room, amountUnpaid: prize.amount - room };
}

import type { Command } from './commands.ts';

/** The answer of a shop, without values that a model cannot predict. */
export type ExpectedAnswer = {
  readonly status: number;
  readonly code?: string;
  readonly units?: number;
  /** The paid points. */
  readonly points?: number;
  readonly replayOf?: number;
};

type Offer = {
  stock: number;
  sold: number;
  removed: boolean;
  /** Points for a unit; 0 for free. */
  price: number;
  readonly agreement?: { stock: number };
  status: string;
  pauseReason: string;
};
type Held = {
  readonly who: number;
  readonly what: number;
  units: number;
  readonly until: number;
  readonly since: number;
  /** Points for a unit at the time of the reservation. */
  readonly price: number;
};
type Bought = { readonly who: number; readonly points: number; cancelled: boolean };

const OK = 200;
const REMOVED = 204;
const OUT_OF_STOCK = { status: 409, code: 'OUT_OF_STOCK' };
const NOT_FREE = { status: 409, code: 'UNITS_NOT_FREE' };
const NOT_FOUND = { status: 404, code: 'PUBLICATION_NOT_FOUND' };
const NOT_PUBLISHED = { status: 409, code: 'PUBLICATION_NOT_PUBLISHED' };
const NO_PURCHASE = { status: 404, code: 'REDEMPTION_NOT_FOUND' };
const CANCELLED = { status: 409, code: 'REDEMPTION_ALREADY_CANCELLED' };
const REUSED = { status: 400, code: 'OPERATION_ID_REUSED' };

/**
 * A marketplace in memory that recalculates its whole state at each step: a product with 14 units. Two publications have 4 and 5 of them,
 * for an agreement of 6, for 3 and 5 points; a third has 3 for free. Without a publication, a unit costs a point. Customers have more
 * points than all units cost. The service must give the same answer to every command.
 */
export function naiveShop() {
  const product = { stock: 14 };
  const agreement = { stock: 6 };
  const published = { status: 'PUBLISHED_ON_MARKETPLACE', pauseReason: 'NONE' };
  const fresh = { sold: 0, removed: false, ...published };
  const offers: Offer[] = [
    { stock: 4, price: 3, agreement, ...fresh },
    { stock: 5, price: 5, agreement, ...fresh },
    { stock: 3, price: 0, ...fresh },
  ];
  const bought: Bought[] = [];
  /** By customer, in points. */
  const spentElsewhere = [0, 0, 0];
  let held: Held[] = [];
  let now = 0;
  let step = 0;
  const done = new Map<string, { content: string; step: number; units: number; points: number | undefined }>();

  const open = () => held.filter(({ until }) => until > now);
  const sum = (some: readonly Held[]) => some.reduce((units, one) => units + one.units, 0);
  const available = (offer: Offer) => offer.stock - sum(open().filter(({ what }) => offers[what] === offer));
  const pool = () => agreement.stock - sum(open().filter(({ what }) => offers[what]!.agreement));
  const forSale = (offer: Offer) => (offer.agreement ? Math.min(available(offer), pool()) : available(offer));
  const allocated = () => offers.reduce((units, offer) => units + (offer.removed ? 0 : offer.stock), 0);
  const free = () => product.stock - allocated();
  const refusal = (offer: Offer, units: number) => {
    if (offer.removed) return NOT_FOUND;
    if (units === 0) return undefined;
    if (offer.status === 'DRAFT') return NOT_PUBLISHED;
    return forSale(offer) < units ? OUT_OF_STOCK : undefined;
  };
  const pause = (offer: Offer, pauseReason: string) => {
    if (offer.status === 'PUBLISHED_ON_MARKETPLACE') Object.assign(offer, { status: 'DRAFT', pauseReason });
  };

  function freeze({ who, what, quantity, ttl }: Extract<Command, { kind: 'freeze' }>): ExpectedAnswer {
    const refused = refusal(offers[what]!, quantity);
    if (refused) return refused;
    held.push({ who, what, units: quantity, until: now + ttl, since: step, price: offers[what]!.price });
    return { status: OK, units: quantity };
  }

  function redeem({ who, what, quantity }: Extract<Command, { kind: 'redeem' }>): ExpectedAnswer {
    const offer = offers[what]!;
    const own = open()
      .filter((one) => one.who === who && one.what === what)
      .toSorted((one, other) => one.until - other.until || one.since - other.since);
    const units = quantity ?? own[0]?.units ?? 1;
    const refused = refusal(offer, Math.max(0, units - sum(own)));
    if (refused) return refused;
    let missing = units;
    let points = 0;
    for (const one of own) {
      const taken = Math.min(one.units, missing);
      one.units -= taken;
      missing -= taken;
      points += taken * Math.min(one.price, offer.price);
    }
    points += missing * offer.price;
    bought.push({ who, points, cancelled: false });
    held = held.filter((one) => one.units > 0);
    offer.stock -= units;
    offer.sold += units;
    product.stock -= units;
    if (offer.agreement) offer.agreement.stock -= units;
    if (available(offer) === 0) pause(offer, 'PUBLICATION_OUT_OF_STOCK');
    if (offer.agreement && pool() === 0) {
      for (const each of offers) if (each.agreement) pause(each, 'AGREEMENT_OUT_OF_STOCK');
    }
    return { status: OK, units, points };
  }

  /** Returns the points, but not the units. */
  function cancel({ ago }: Extract<Command, { kind: 'cancel' }>): ExpectedAnswer {
    const purchase = bought.at(-1 - ago);
    if (purchase === undefined) return NO_PURCHASE;
    if (purchase.cancelled) return CANCELLED;
    purchase.cancelled = true;
    return { status: OK };
  }

  function setPrice({ what, points = 0 }: Extract<Command, { kind: 'price' }>): ExpectedAnswer {
    if (offers[what]!.removed) return NOT_FOUND;
    offers[what]!.price = points;
    return { status: OK };
  }

  function unfreeze({ who, what }: Extract<Command, { kind: 'unfreeze' }>): ExpectedAnswer {
    const own = open().filter((one) => one.who === who && one.what === what);
    held = held.filter((one) => !own.includes(one));
    return { status: OK, units: sum(own) };
  }

  function move({ kind, what }: Extract<Command, { kind: 'publish' | 'unpublish' }>): ExpectedAnswer {
    const offer = offers[what]!;
    if (offer.removed) return NOT_FOUND;
    if (kind === 'unpublish') pause(offer, 'MANUAL');
    else if (offer.status === 'DRAFT') {
      if (forSale(offer) <= 0) return OUT_OF_STOCK;
      Object.assign(offer, published);
    }
    return { status: OK };
  }

  function administer({
    kind,
    what,
    quantity,
  }: Extract<Command, { kind: 'add' | 'withdraw' | 'remove' }>): ExpectedAnswer {
    const offer = offers[what]!;
    if (offer.removed) return NOT_FOUND;
    if (kind === 'remove') return remove(offer);
    if (kind === 'add' && free() < quantity) return NOT_FREE;
    if (kind === 'withdraw' && available(offer) < quantity) return OUT_OF_STOCK;
    offer.stock += kind === 'add' ? quantity : -quantity;
    return { status: OK };
  }

  function remove(offer: Offer): ExpectedAnswer {
    if (offer.status !== 'DRAFT') return { status: 409, code: 'PUBLICATION_PUBLISHED' };
    if (offer.sold > 0) return { status: 409, code: 'PUBLICATION_SOLD' };
    if (available(offer) < offer.stock) return { status: 409, code: 'PUBLICATION_RESERVED' };
    offer.removed = true;
    return { status: REMOVED };
  }

  /** For points, or from the supplier: these do not affect a publication. */
  function trade(command: Extract<Command, { kind: 'buy' | 'restock' }>): ExpectedAnswer {
    const { kind, quantity } = command;
    if (kind === 'buy' && free() < quantity) return OUT_OF_STOCK;
    if (kind === 'buy') spentElsewhere[command.who]! += quantity;
    product.stock += kind === 'restock' ? quantity : -quantity;
    return { status: OK };
  }

  function once(command: Extract<Command, { kind: 'freeze' | 'redeem' }>): ExpectedAnswer {
    const content = JSON.stringify(command);
    // Each operation has a separate set of ids.
    const key = command.op === undefined ? undefined : `${command.kind} ${command.op}`;
    const earlier = key === undefined ? undefined : done.get(key);
    if (earlier)
      return earlier.content === content
        ? { status: OK, units: earlier.units, points: earlier.points, replayOf: earlier.step }
        : REUSED;
    const answer = command.kind === 'freeze' ? freeze(command) : redeem(command);
    if (answer.status === OK && key !== undefined)
      done.set(key, { content, step, units: answer.units!, points: answer.points });
    return answer;
  }

  return {
    /** Performs a command and returns its answer. Commands are numbered from 1. */
    expectedAnswer(command: Exclude<Command, { kind: 'pass' }>): ExpectedAnswer {
      step += 1;
      switch (command.kind) {
        case 'freeze':
        case 'redeem':
          return once(command);
        case 'unfreeze':
          return unfreeze(command);
        case 'cancel':
          return cancel(command);
        case 'price':
          return setPrice(command);
        case 'publish':
        case 'unpublish':
          return move(command);
        case 'buy':
        case 'restock':
          return trade(command);
        default:
          return administer(command);
      }
    },
    pass: (seconds: number) => void (now += seconds),
    /** The readable state of the shop. */
    state: () => ({
      publications: offers.map((offer) =>
        offer.removed
          ? { code: NOT_FOUND.code }
          : {
              stock: offer.stock,
              availableStock: offer.status === 'DRAFT' ? available(offer) : forSale(offer),
              status: offer.status,
              pauseReason: offer.pauseReason,
            },
      ),
      agreement: { stock: agreement.stock, availableStock: pool() },
      spent: [0, 1, 2].map((who) =>
        bought.reduce((sum, one) => sum + (one.who === who && !one.cancelled ? one.points : 0), spentElsewhere[who]!),
      ),
      product: { stock: product.stock, allocated: allocated(), free: free() },
    }),
  };
}

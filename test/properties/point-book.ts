/** One account's points, kept as naively as can be. */
export type PointBook = {
  available: number;
  spent: number;
  expired: number;
  lifetimeEarned: number;
  /** What is left of each credit, and until when, what expires first before the rest; undefined means never. */
  lots: Array<{ left: number; readonly until: number | undefined }>;
};

/** No balance is more. */
export const BALANCE_MAX = 900_000_000_000;

/** An account that never had points, or only so many, which an operator gave. */
export function bookOf(given = 0): PointBook {
  const lots = given === 0 ? [] : [{ left: given, until: undefined }];
  return { available: given, spent: 0, expired: 0, lifetimeEarned: 0, lots };
}

/** What a balance still takes. */
export function roomOf({ available }: PointBook): number {
  return BALANCE_MAX - available;
}

/** Credits a reward, as far as there is room; gives what was paid. */
export function earn(book: PointBook, amount: number, until: number | undefined): number {
  const paid = Math.min(amount, roomOf(book));
  if (paid > 0) credit(book, paid, until);
  return paid;
}

function credit(book: PointBook, amount: number, until: number | undefined): void {
  book.lots = [...book.lots, { left: amount, until }].toSorted((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity));
  book.available += amount;
  book.lifetimeEarned += amount;
}

/** Adds points that an operator gives, as earned or not. */
export function adjust(book: PointBook, amount: number, until: number | undefined, earned: boolean): void {
  credit(book, amount, until);
  if (!earned) book.lifetimeEarned -= amount;
}

/** Points with the moment until which they can be spent; undefined means for ever. */
export type Points = { readonly amount: number; readonly until: number | undefined };

/** Takes points that are there, those that expire first before the others, and gives which these were. */
export function spend(book: PointBook, amount: number): Points[] {
  let wanted = amount;
  const taken: Points[] = [];
  for (const lot of book.lots) {
    const some = Math.min(wanted, lot.left);
    if (some > 0) taken.push({ amount: some, until: lot.until });
    lot.left -= some;
    wanted -= some;
  }
  book.lots = book.lots.filter(({ left }) => left > 0);
  book.available -= amount;
  book.spent += amount;
  return taken;
}

/**
 * Gives back what was spent at a moment: until the moment that is asked for, or as long as each would have lasted, or as long
 * as it had still to last when it was spent.
 */
export function refund(book: PointBook, taken: readonly Points[], spentAt: number, now: number, asked?: number): void {
  for (const { amount, until } of taken) {
    const own = until === undefined || until > now ? until : now + (until - spentAt);
    credit(book, amount, asked ?? own);
    book.lifetimeEarned -= amount;
    book.spent -= amount;
  }
}

/** The points that expire next, all of one moment; undefined if none do. */
export function expiresNext({ lots }: PointBook): Points | undefined {
  const until = lots[0]?.until;
  if (until === undefined) return undefined;
  return { until, amount: lots.reduce((sum, lot) => sum + (lot.until === until ? lot.left : 0), 0) };
}

/** Takes what has expired by `now`. */
export function expire(book: PointBook, now: number): void {
  const gone = book.lots.filter(({ until = Infinity }) => until <= now).reduce((sum, { left }) => sum + left, 0);
  book.lots = book.lots.filter(({ until = Infinity }) => until > now);
  book.available -= gone;
  book.expired += gone;
}

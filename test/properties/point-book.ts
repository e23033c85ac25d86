/** The points of one account, in the simplest possible implementation. */
export type PointBook = {
  available: number;
  spent: number;
  expired: number;
  lifetimeEarned: number;
  /** The rest of each credit and its expiry, earliest expiry first; undefined means that it never expires. */
  lots: Array<{ left: number; readonly until: number | undefined }>;
};

/** The maximum balance. */
export const BALANCE_MAX = 900_000_000_000;

/** A new account, or one with points that an operator added. */
export function bookOf(given = 0): PointBook {
  const lots = given === 0 ? [] : [{ left: given, until: undefined }];
  return { available: given, spent: 0, expired: 0, lifetimeEarned: 0, lots };
}

/** The points that fit below the maximum balance. */
export function roomOf({ available }: PointBook): number {
  return BALANCE_MAX - available;
}

/** Credits a reward up to the maximum balance; returns the paid points. */
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

/** Adds points as an operator does; `earned` decides whether they count as earned. */
export function adjust(book: PointBook, amount: number, until: number | undefined, earned: boolean): void {
  credit(book, amount, until);
  if (!earned) book.lifetimeEarned -= amount;
}

/** Points with their expiry; undefined means that they never expire. */
export type Points = { readonly amount: number; readonly until: number | undefined };

/** Spends points, earliest expiry first; returns the spent parts. */
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

/** Returns spent points. Their expiry is `asked`, or the original one, or, if that has passed, the time that was left at the purchase. */
export function refund(book: PointBook, taken: readonly Points[], spentAt: number, now: number, asked?: number): void {
  for (const { amount, until } of taken) {
    const own = until === undefined || until > now ? until : now + (until - spentAt);
    credit(book, amount, asked ?? own);
    book.lifetimeEarned -= amount;
    book.spent -= amount;
  }
}

/** The points with the earliest expiry; undefined if no points expire. */
export function expiresNext({ lots }: PointBook): Points | undefined {
  const until = lots[0]?.until;
  if (until === undefined) return undefined;
  return { until, amount: lots.reduce((sum, lot) => sum + (lot.until === until ? lot.left : 0), 0) };
}

/** Removes the points that have expired by `now`. */
export function expire(book: PointBook, now: number): void {
  const gone = book.lots.filter(({ until = Infinity }) => until <= now).reduce((sum, { left }) => sum + left, 0);
  book.lots = book.lots.filter(({ until = Infinity }) => until > now);
  book.available -= gone;
  book.expired += gone;
}

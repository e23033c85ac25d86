/** One account's points, kept as naively as can be. */
export type PointBook = {
  available: number;
  spent: number;
  expired: number;
  lifetimeEarned: number;
  /** What is left of each credit, and until when, what expires first before the rest; undefined means never. */
  lots: Array<{ left: number; readonly until: number | undefined }>;
};

/** An account that never had points. */
export function bookOf(): PointBook {
  return { available: 0, spent: 0, expired: 0, lifetimeEarned: 0, lots: [] };
}

/** Credits points. */
export function earn(book: PointBook, amount: number, until: number | undefined): void {
  book.lots = [...book.lots, { left: amount, until }].toSorted((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity));
  book.available += amount;
  book.lifetimeEarned += amount;
}

/** Takes points that are there, those that expire first before the others. */
export function spend(book: PointBook, amount: number): void {
  let wanted = amount;
  for (const lot of book.lots) {
    const taken = Math.min(wanted, lot.left);
    lot.left -= taken;
    wanted -= taken;
  }
  book.lots = book.lots.filter(({ left }) => left > 0);
  book.available -= amount;
  book.spent += amount;
}

/** Takes what has expired by `now`. */
export function expire(book: PointBook, now: number): void {
  const gone = book.lots.filter(({ until = Infinity }) => until <= now).reduce((sum, { left }) => sum + left, 0);
  book.lots = book.lots.filter(({ until = Infinity }) => until > now);
  book.available -= gone;
  book.expired += gone;
}

/** A stored number that contradicts its history. A correct database has none. */
export type Difference = {
  /** The wrong value, for example `point_balance.available`. */
  readonly subject: string;
  /** The id of the row, or of its account. */
  readonly id: string;
  readonly stored: string;
  readonly recomputed: string;
};

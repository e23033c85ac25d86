/** A stored number that is not what its history says. A sound database has none. */
export type Difference = {
  /** The wrong value, for example `point_balance.available`. */
  readonly subject: string;
  /** Id of the row, or of its account. */
  readonly id: string;
  readonly stored: string;
  readonly recomputed: string;
};

/** What PostgreSQL is to do. */
export type Statement = {
  readonly text: string;
  /** What stands for `$1` and so on; arrays are sent as PostgreSQL's. Where there are none, the text alone is sent. */
  readonly values?: readonly unknown[];
  /** Parsed by the server when it is first sent on the connection, and not again. */
  readonly isPrepared?: boolean;
  /** How moments arrive: as `Date`, to the millisecond below, or as PostgreSQL wrote them, which is the default. */
  readonly momentsAs?: 'Date' | 'text';
};

/** What PostgreSQL answered to a statement. */
export type StatementResult<Row extends object = Record<string, unknown>> = {
  /** What was done: `SELECT`, `INSERT`, `COMMIT`; `ROLLBACK` also for a commit of what had failed. */
  readonly command: string;
  /** Rows that were read or changed; null of what concerns no rows. */
  readonly rowCount: number | null;
  readonly rows: Row[];
};

/** How much went over a connection. */
export type Traffic = {
  /** Statements that were sent, and those of them that were answered. */
  readonly sent: number;
  readonly answered: number;
  /** Bytes that have arrived. */
  readonly received: number;
};

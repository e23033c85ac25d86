/** A statement for PostgreSQL. */
export type Statement = {
  readonly text: string;
  /** The values of `$1`, `$2` ...; arrays become PostgreSQL arrays. Without values only the text is sent. */
  readonly values?: readonly unknown[];
  /** Parsed by the server when it is first sent on the connection, and not again. */
  readonly isPrepared?: boolean;
  /** How moments arrive: as `Date`, to the millisecond below, or as PostgreSQL wrote them, which is the default. */
  readonly momentsAs?: 'Date' | 'text';
};

/** The answer of PostgreSQL to a statement. */
export type StatementResult<Row extends object = Record<string, unknown>> = {
  /** The command: `SELECT`, `INSERT`, `COMMIT`; `ROLLBACK` also for the commit of a failed transaction. */
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

/** A statement for PostgreSQL. */
export type Statement = {
  readonly text: string;
  /** The values of `$1`, `$2` ...; arrays become PostgreSQL arrays. Without values only the text is sent. */
  readonly values?: readonly unknown[];
  /** Whether the server parses it only once per connection. */
  readonly isPrepared?: boolean;
  /** The form of moments in answers: `Date`, rounded down to milliseconds, or PostgreSQL's text, which is the default. */
  readonly momentsAs?: 'Date' | 'text';
};

/** The answer of PostgreSQL to a statement. */
export type StatementResult<Row extends object = Record<string, unknown>> = {
  /** The command: `SELECT`, `INSERT`, `COMMIT`; `ROLLBACK` also for the commit of a failed transaction. */
  readonly command: string;
  /** The number of read or changed rows; null for commands without rows. */
  readonly rowCount: number | null;
  readonly rows: Row[];
};

/** The traffic of a connection. */
export type Traffic = {
  /** The numbers of sent and of answered statements. */
  readonly sent: number;
  readonly answered: number;
  /** The number of received bytes. */
  readonly received: number;
};

/** A process of a server. A number alone may be used again, also on another server; with the moment it is unique. */
export type ServerProcess = {
  /** The number of the process in PostgreSQL, also behind a pooler. */
  readonly pid: number;
  /** The start of its transaction, which is `now()`, or of the process; to the microsecond, in the format of PostgreSQL. */
  readonly since: string;
};

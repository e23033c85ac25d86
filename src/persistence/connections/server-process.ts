/** A process of a server. Its number may be given again, and on another server; with the moment there is only one. */
export type ServerProcess = {
  /** Behind a pooler that of PostgreSQL as well. */
  readonly pid: number;
  /** The start of its transaction, which is its `now()`, or its own; to the microsecond, as PostgreSQL writes it. */
  readonly since: string;
};

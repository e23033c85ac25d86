/**
 * The severity of a finding. `fault`: calls would fail, or clients would see each other's rows; the service does not
 * start, and a running one is not ready. `fault at start`: the service does not start; a running one continues.
 * `warning`: it is only reported.
 */
export type Severity = 'fault' | 'fault at start' | 'warning';

/** A problem, in sentences for an operator at night. */
export type Finding = {
  readonly severity: Severity;
  /** The fault. */
  readonly problem: string;
  /** The remedy. */
  readonly remedy: string;
};

/** The result of a check. */
export type Seen = {
  /** The checked facts, to show that the check ran. */
  readonly seen: string;
  readonly findings: readonly Finding[];
};

/** The queries of a check. Each is short and read-only. */
export type Inspection = {
  /** Queries as the login of the service, which sees the catalogue and no rows. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Queries as `laurel_system`, which sees the rows of every client. */
  asSystem<Row extends object>(sql: string): Promise<Row[]>;
};

/** One check of the database: before the start, during operation, and on request of the operator. */
export type Check = {
  /** The name, in one or two words. */
  readonly name: string;
  /** Checks that must succeed first: otherwise this one is skipped, because it would only repeat their findings. */
  readonly after?: readonly string[];
  run(inspection: Inspection): Promise<Seen>;
};

/** A finding that stops the service. */
export function fault(problem: string, remedy: string): Finding {
  return { severity: 'fault', problem, remedy };
}

/** A finding that degrades the service, or that grows with time. */
export function warning(problem: string, remedy: string): Finding {
  return { severity: 'warning', problem, remedy };
}

/** A list of names for a sentence: the first five, and the number of the others. */
export function abbreviated(names: readonly string[]): string {
  const shown = names.slice(0, 5);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** The remedy for an incomplete restore. */
export const RESTORE_AGAIN =
  'Part of the schema was lost, probably in a restore that printed errors. Drop the database, run `npm run laurel -- roles`, and restore again so that it stops at the first error (docs/backup.md).';

/**
 * The severity of a finding. `fault`: calls would fail, or clients would see each other's rows; the service does not
 * start, and a running one is not ready. `fault at start`: the service does not start; a running one continues.
 * `warning`: it is only reported.
 */
export type Severity = 'fault' | 'fault at start' | 'warning';

/** Something that is not as it has to be, in sentences for an operator at night. */
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

/** How a check asks the database. Every question is short and changes nothing. */
export type Inspection = {
  /** As the login of the service, which sees the catalogue and no rows. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** As `laurel_system`, which sees the rows of every client. */
  asSystem<Row extends object>(sql: string): Promise<Row[]>;
};

/** One thing to look at before the service starts, while it runs, and when the operator asks. */
export type Check = {
  /** One or two words. */
  readonly name: string;
  /** Checks without whose success this one would only repeat what they have found; it is not made then. */
  readonly after?: readonly string[];
  run(inspection: Inspection): Promise<Seen>;
};

/** A finding that keeps the service from its work. */
export function fault(problem: string, remedy: string): Finding {
  return { severity: 'fault', problem, remedy };
}

/** A finding that degrades something, or that time will make worse. */
export function warning(problem: string, remedy: string): Finding {
  return { severity: 'warning', problem, remedy };
}

/** Names as a list for a sentence; after the first five only the number of the others. */
export function abbreviated(names: readonly string[]): string {
  const shown = names.slice(0, 5);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** The remedy for an incomplete restore. */
export const RESTORE_AGAIN =
  'Part of the schema was lost, probably in a restore that printed errors. Drop the database, run `npm run laurel -- roles`, and restore again so that it stops at the first error (docs/backup.md).';

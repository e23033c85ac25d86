import { isDue } from '../kernel/time/due.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A cause has to be gone for this long before its return is told as a new one: one that comes and goes is told once. */
export const GONE_MS = 15 * MINUTE_MS;

/** Milliseconds after which the sender of a message counts as dead: far longer than sending may take. */
export const LEASE_MS = 120_000;

/** Pauses before a channel that fails is tried again, by how often it has failed; the last one is for all that follow. */
const PAUSES_MS = [1, 2, 5, 10, 20, 40, 60].map((minutes) => minutes * MINUTE_MS);

/** An alert that has not ended, as far as the rule reads it. */
export type OpenAlert = {
  readonly causeKey: string;
  readonly goneSince: Date | null;
};

/** The changes to make to a client's alerts, by the keys of their causes. */
export type Changes = {
  /** Causes that have no alert yet. */
  readonly opened: readonly string[];
  /** Alerts whose cause is not there any more, and those whose cause came back before they ended. */
  readonly gone: readonly string[];
  readonly back: readonly string[];
  readonly ended: readonly string[];
};

/**
 * Holds the open alerts of a client against the causes that were found.
 * @param found keys of the causes that are there
 * @param isUnknown whether a cause that was not found may be there nevertheless, because not all of its kind were read
 */
export function changesOf(
  open: readonly OpenAlert[],
  found: ReadonlySet<string>,
  { now, isUnknown = () => false }: { readonly now: Date; readonly isUnknown?: (key: string) => boolean },
): Changes {
  const known = new Set(open.map(({ causeKey }) => causeKey));
  const away = open.filter(({ causeKey }) => !found.has(causeKey) && !isUnknown(causeKey));
  const keys = (alerts: readonly OpenAlert[]) => alerts.map(({ causeKey }) => causeKey);
  return {
    opened: [...found].filter((key) => !known.has(key)),
    gone: keys(away.filter(({ goneSince }) => goneSince === null)),
    back: keys(open.filter(({ causeKey, goneSince }) => goneSince !== null && found.has(causeKey))),
    ended: keys(away.filter(({ goneSince }) => goneSince !== null && isOver(goneSince, GONE_MS, now))),
  };
}

/** Whether a channel must report an open alert: it never has, or the reminder is due. */
export function isDueToSend(lastNotifiedAt: Date | null, reminderHours: number | null, now: Date): boolean {
  if (lastNotifiedAt === null) return true;
  return reminderHours !== null && isOver(lastNotifiedAt, reminderHours * HOUR_MS, now);
}

/** Whether `ms` have passed since a moment, or it lies ahead and was told by a clock that has gone back since. */
function isOver(since: Date, ms: number, now: Date): boolean {
  return isDue(new Date(since.getTime() + ms), now, ms);
}

/** Milliseconds between two attempts at a channel that fails, at most. */
export const LONGEST_PAUSE_MS = Math.max(...PAUSES_MS);

/** When a channel that has failed so often, at least once, is tried again. */
export function nextAttemptAt(failures: number, now: Date): Date {
  const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1]!;
  return new Date(now.getTime() + pause);
}

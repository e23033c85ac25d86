import { isDue } from '../kernel/time/due.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Milliseconds for which a cause must be absent before its return is a new alert. A flapping cause is reported once. */
export const GONE_MS = 15 * MINUTE_MS;

/** Milliseconds after which the sender of a message counts as dead. Sending takes far less. */
export const LEASE_MS = 120_000;

/** Pauses after one failure, two failures and so on; the last one is for all further failures. */
const PAUSES_MS = [1, 2, 5, 10, 20, 40, 60].map((minutes) => minutes * MINUTE_MS);

/** The fields of an open alert that the rule reads. */
export type OpenAlert = {
  readonly causeKey: string;
  readonly goneSince: Date | null;
};

/** The changes to make to a client's alerts, by the keys of their causes. */
export type Changes = {
  /** Causes that have no alert yet. */
  readonly opened: readonly string[];
  /** Alerts whose cause has disappeared, and alerts whose cause returned before their end. */
  readonly gone: readonly string[];
  readonly back: readonly string[];
  readonly ended: readonly string[];
};

/**
 * Compares the open alerts of a client with the found causes.
 * @param found the keys of the found causes
 * @param isUnknown whether a cause that was not found may still exist, because not all causes of its kind were read
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

/** Whether a channel must report an open alert: it was never reported, or the reminder is due. */
export function isDueToSend(lastNotifiedAt: Date | null, reminderHours: number | null, now: Date): boolean {
  if (lastNotifiedAt === null) return true;
  return reminderHours !== null && isOver(lastNotifiedAt, reminderHours * HOUR_MS, now);
}

/** Whether `ms` have passed since a moment. A moment far in the future, from a clock that was set back, also counts. */
function isOver(since: Date, ms: number, now: Date): boolean {
  return isDue(new Date(since.getTime() + ms), now, ms);
}

/** The most milliseconds between two attempts at a failing channel. */
export const LONGEST_PAUSE_MS = Math.max(...PAUSES_MS);

/** The time of the next attempt after `failures` failures, at least one. */
export function nextAttemptAt(failures: number, now: Date): Date {
  const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1]!;
  return new Date(now.getTime() + pause);
}

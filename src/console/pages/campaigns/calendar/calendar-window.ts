import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import { localTimeOf, momentOf } from '../../../form/local-time.ts';
import type { Span } from './spans.ts';

/** The length of the shown window. */
export const scales = ['weeks', 'months'] as const;

/** The lengths of the shown window, by name. */
export type Scale = (typeof scales)[number];

/** Weeks, or months, side by side. */
const SHOWN = { weeks: 8, months: 6 };

/** The part of the calendar that is shown. */
export type CalendarWindow = Span & {
  /** Its first day, `YYYY-MM-DD`. */
  readonly day: string;
  /** The first days of its weeks or months, with their times in milliseconds. */
  readonly ticks: readonly { readonly day: string; readonly at: number }[];
  /** First days of the windows before and after. */
  readonly earlier: string;
  readonly later: string;
};

/** The window that begins with the week or month of `day`, on the clocks of `timeZone`. */
export function windowOf(scale: Scale, day: string, timeZone: string): CalendarWindow {
  const first = firstOf(scale, new Date(`${day}T00:00Z`));
  const days = Array.from({ length: SHOWN[scale] + 1 }, (_, index) => dayOf(stepped(scale, first, index)));
  const starts = days.map((name) => ({ day: name, at: midnight(name, timeZone) }));
  const step = Math.max(1, Math.floor(SHOWN[scale] / 2));
  return {
    day: dayOf(first),
    from: starts[0]?.at ?? 0,
    until: starts.at(-1)?.at ?? 0,
    ticks: starts.slice(0, -1),
    earlier: dayOf(stepped(scale, first, -step)),
    later: dayOf(stepped(scale, first, step)),
  };
}

/** The day of a moment on the clocks of `timeZone`, a week or month earlier, so that today is not at the edge. */
export function dayBefore(scale: Scale, now: number, timeZone: string): string {
  const today = new Date(`${localTimeOf(timestampFromMs(now), timeZone).slice(0, 10)}T00:00Z`);
  return dayOf(stepped(scale, firstOf(scale, today), -1));
}

function firstOf(scale: Scale, date: Date): Date {
  if (scale === 'months') return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
  // Weeks begin on Monday, as in the engine.
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * 86_400_000);
}

function stepped(scale: Scale, date: Date, count: number): Date {
  if (scale === 'weeks') return new Date(date.getTime() + count * 7 * 86_400_000);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1));
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function midnight(day: string, timeZone: string): number {
  const moment = momentOf(`${day}T00:00`, timeZone);
  return moment === undefined ? 0 : timestampMs(moment);
}

import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type Campaign, Campaign_Status } from '../../../../../gen/laurel/v1/campaign_pb.ts';

/** A time range in milliseconds; without an end it is open. */
export type Span = { readonly from: number; readonly until: number };

/** When a campaign runs, ran or is to run, and its pauses; undefined for a draft that is not planned. */
export function runOf(
  campaign: Campaign,
  now: number,
): { readonly run: Span; readonly pauses: readonly Span[] } | undefined {
  const { startsAt, endsAt, activatedAt, endedAt, status } = campaign;
  const begins = [startsAt, activatedAt].flatMap((moment) => (moment ? [timestampMs(moment)] : []));
  if (begins.length === 0) return undefined;
  const ends = [endsAt, endedAt].flatMap((moment) => (moment ? [timestampMs(moment)] : []));
  const from = Math.max(...begins);
  const until = Math.min(...ends, Number.POSITIVE_INFINITY);
  const isPaused = status === Campaign_Status.PAUSED;
  const pauses = campaign.pauses.map((pause) => ({
    from: pause.since ? timestampMs(pause.since) : from,
    // A current pause has no end yet.
    until: pause.until ? timestampMs(pause.until) : isPaused ? until : now,
  }));
  return { run: { from, until: Math.max(from, until) }, pauses };
}

/** The position of a span in a window, in percent; undefined if outside. */
export function positionIn(
  window: Span,
  { from, until }: Span,
): { readonly left: number; readonly width: number } | undefined {
  if (until <= window.from || from >= window.until) return undefined;
  const length = window.until - window.from;
  const left = Math.max(0, from - window.from);
  const right = Math.min(length, until - window.from);
  return { left: (100 * left) / length, width: (100 * (right - left)) / length };
}

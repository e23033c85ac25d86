import type { Registry } from 'prom-client';

/** The metrics of one process: one entry for each metric, in prom-client's JSON form. */
export type Snapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Messages from a serving process to its parent process. */
export type FromProcess =
  /** Its metrics so far, on request or unsolicited. The first message shows that it can answer requests. */
  | { readonly laurel: 'counted'; readonly snapshot: Snapshot; readonly answers?: number }
  /** A client reads `/metrics` of the process. */
  | { readonly laurel: 'scrape'; readonly scrape: number };

/** Messages from the parent process to a serving process. */
export type ToProcess =
  | { readonly laurel: 'count'; readonly question: number }
  | { readonly laurel: 'scraped'; readonly scrape: number; readonly text: string };

/** Whether a message is one of these; libraries use the same channel. */
export function isMetricsMessage(message: unknown): message is FromProcess | ToProcess {
  return typeof message === 'object' && message !== null && 'laurel' in message;
}

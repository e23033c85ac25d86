import type { Registry } from 'prom-client';

/** The metrics of one process: one entry for each metric, in prom-client's JSON form. */
export type Snapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** From a process that serves to the one that started it. */
export type FromProcess =
  /** Its metrics so far, on request or unsolicited. The first message shows that it can answer requests. */
  | { readonly laurel: 'counted'; readonly snapshot: Snapshot; readonly answers?: number }
  /** Somebody reads `/metrics` there. */
  | { readonly laurel: 'scrape'; readonly scrape: number };

/** From the process that started them to one that serves. */
export type ToProcess =
  | { readonly laurel: 'count'; readonly question: number }
  | { readonly laurel: 'scraped'; readonly scrape: number; readonly text: string };

/** Whether a message of a process is one of these; libraries send theirs on the same channel. */
export function isMetricsMessage(message: unknown): message is FromProcess | ToProcess {
  return typeof message === 'object' && message !== null && 'laurel' in message;
}

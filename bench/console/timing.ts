import { median } from '../support/statistics.ts';

/** One request of a page, and the time of its answer with all data in memory. */
export type Timing = { readonly what: string; readonly milliseconds: number; readonly rows: number | undefined };

/** The number of requests; the first one is not counted. */
const TIMES = 4;

/** A read of the service. */
export type Ask = <Answer>(path: string) => Promise<Answer>;

/** Reads as an operator's browser does. @throws Error with the answer, unless it is a success */
export function asking(baseUrl: string, token: string): Ask {
  return async <Answer>(path: string) => {
    const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as Answer;
    throw new Error(`GET ${path} answered ${response.status}: ${text}`);
  };
}

/** The median of three answers, after a first one. A refused request, for example after a timeout, counts with its time. */
export async function timed(ask: Ask, what: string, path: string): Promise<Timing> {
  const times: number[] = [];
  let refused = '';
  let answer: { rows?: unknown[]; entries?: unknown[] } = {};
  for (let time = 0; time < TIMES; time += 1) {
    const begun = performance.now();
    answer = await ask<typeof answer>(path).catch((error: Error) => {
      refused = ` (${error.message.replace(/^.* answered /, '').slice(0, 3)})`;
      return {};
    });
    times.push(performance.now() - begun);
    if (refused !== '') break;
  }
  return {
    what: what + refused,
    milliseconds: median(times.length > 1 ? times.slice(1) : times),
    rows: (answer.rows ?? answer.entries)?.length,
  };
}

/** The slowest timing. @throws Error if there is none */
export function slowest(timings: readonly Timing[]): Timing {
  const [first] = timings.toSorted((a, b) => b.milliseconds - a.milliseconds);
  if (first === undefined) throw new Error('Nothing was measured.');
  return first;
}

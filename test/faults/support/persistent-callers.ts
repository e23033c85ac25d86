import { setTimeout as sleep } from 'node:timers/promises';
import type { RestAnswer } from '../../support/service.ts';
import { randomNumbers } from '../bounds.ts';

/** Statuses after which a repeat may succeed; 0 means no answer. */
const REPEATABLE = new Set([0, 500, 502, 503, 504]);

/** Whether the answer is final, so that a repeat would not change it. */
export function isDecided({ status, body }: RestAnswer): boolean {
  return !REPEATABLE.has(status) && body?.code !== 'OPERATION_IN_PROGRESS';
}

/** Repeats calls until the service gives a final answer, from any of its hosts. */
export type PersistentCaller = (path: string, body: object) => Promise<RestAnswer>;

/**
 * A caller that follows the guide: it repeats a call without an answer, or with a temporary one, with the same operation id.
 * @param hosts read before each attempt, which goes to any of them
 */
export function persistentCaller(hosts: () => readonly string[], token: string, seed: number): PersistentCaller {
  const random = randomNumbers(seed);
  return async (path, body) => {
    for (;;) {
      const among = hosts();
      const answer = await callOnce('POST', among[Math.floor(random() * among.length)]! + path, token, body);
      if (isDecided(answer)) return answer;
      await sleep(20 + 80 * random());
    }
  };
}

/** One attempt, for 20 s at most. Status 0 means no answer and an unknown result. */
export async function callOnce(method: string, url: string, token: string, body?: object): Promise<RestAnswer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return { status: 0, headers: new Headers(), body: undefined };
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { RestAnswer } from '../../support/service.ts';
import { randomNumbers } from '../bounds.ts';

/** What may succeed later; 0 stands for no answer at all. */
const REPEATABLE = new Set([0, 500, 502, 503, 504]);

/** Whether the service has decided, so that a repetition would change nothing. */
export function isDecided({ status, body }: RestAnswer): boolean {
  return !REPEATABLE.has(status) && body?.code !== 'OPERATION_IN_PROGRESS';
}

/** Makes calls until the service has decided about them, whichever of its hosts that is. */
export type PersistentCaller = (path: string, body: object) => Promise<RestAnswer>;

/**
 * A caller as the guide asks for: what was not answered, or only for the moment, is repeated with the same operation id.
 * @param hosts asked before each attempt; the attempt goes to any of them
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

/** One attempt, for 20 s at most. Status 0 stands for no answer, after which nobody knows what has happened. */
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

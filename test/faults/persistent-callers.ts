import { setTimeout as sleep } from 'node:timers/promises';
import type { RestAnswer } from '../support/service.ts';
import { randomNumbers } from './bounds.ts';

/** What may succeed later; 0 stands for no answer at all. */
const REPEATABLE = new Set([0, 500, 502, 503, 504]);

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
      const answer = await post(among[Math.floor(random() * among.length)]! + path, body, token);
      const isDecided = !REPEATABLE.has(answer.status) && answer.body?.code !== 'OPERATION_IN_PROGRESS';
      if (isDecided) return answer;
      await sleep(20 + 80 * random());
    }
  };
}

async function post(url: string, body: object, token: string): Promise<RestAnswer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return { status: 0, headers: new Headers(), body: undefined };
  }
}

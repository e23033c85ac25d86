import { setTimeout as sleep } from 'node:timers/promises';

/** An event that was answered with success, and when: milliseconds of `performance.now()`. */
export type Answered = { readonly operationId: string; readonly accountId: string; readonly at: number };

/** Callers at work. */
export type Load = {
  readonly answered: readonly Answered[];
  /** Begins no event more; resolves when those that were begun have an answer, or none any more. */
  stop(): Promise<void>;
};

/** Where to send events, and as whom. */
export type Target = { readonly baseUrl: string; readonly apiKey: string };

/** What became of one event. */
export type Outcome = 'applied' | 'replayed' | 'unanswered';

const CALLERS = 8;

/** Few, so that events for the same one meet; all of the demo's client. */
const ACCOUNTS = 50;

/** Sends events as fast as they are answered. What fails is not repeated: only what was answered counts. */
export function startLoad(target: Target, name: string): Load {
  const answered: Answered[] = [];
  const stopping = new AbortController();

  async function call(caller: number): Promise<void> {
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      const event = { operationId: `${name}-${caller}-${count}`, accountId: `account-${count % ACCOUNTS}` };
      if ((await sendEvent(target, event)) === 'unanswered') await sleep(20);
      else answered.push({ ...event, at: performance.now() });
    }
  }

  const done = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  return {
    answered,
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

/** Sends every event once more, as callers do that want to be sure, and gives those that were not there any more. */
export async function repeatAll(target: Target, answered: readonly Answered[]): Promise<Answered[]> {
  const lost: Answered[] = [];
  const left = answered.values();
  const work = async () => {
    for (const event of left) {
      const outcome = await sendEvent(target, event);
      if (outcome === 'unanswered') throw new Error(`The restored service does not answer ${event.operationId}.`);
      if (outcome === 'applied') lost.push(event);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, work));
  return lost;
}

/** One event of the demo's game. */
export async function sendEvent(
  { baseUrl, apiKey }: Target,
  { operationId, accountId }: Pick<Answered, 'operationId' | 'accountId'>,
): Promise<Outcome> {
  try {
    const response = await fetch(`${baseUrl}/gamification/triggers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ operationId, accountId, idType: 'EXTERNAL', programmaticCode: 'LOGIN' }),
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    if (!response.ok) return 'unanswered';
    return response.headers.get('idempotency-replayed') === 'true' ? 'replayed' : 'applied';
  } catch {
    return 'unanswered';
  }
}

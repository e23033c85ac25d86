import { setTimeout as sleep } from 'node:timers/promises';

/** An event that was answered with success, and the time in milliseconds of `performance.now()`. */
export type Answered = { readonly operationId: string; readonly accountId: string; readonly at: number };

/** Running callers. */
export type Load = {
  readonly answered: readonly Answered[];
  /** Starts no further event; resolves when each running one has an answer or has failed. */
  stop(): Promise<void>;
};

/** The address for events, and the credential. */
export type Target = { readonly baseUrl: string; readonly apiKey: string };

/** The result of one event. */
export type Outcome = 'applied' | 'replayed' | 'unanswered';

const CALLERS = 8;

/** Few accounts, so that events of the same one meet; all belong to the demo's client. */
const ACCOUNTS = 50;

/** Starts callers, each with one event after the other. Failures are not repeated, because only answered events count. */
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

/** Sends every event again, as careful callers do, and returns those that were lost. */
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

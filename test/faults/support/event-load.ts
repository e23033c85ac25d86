import { setTimeout as sleep } from 'node:timers/promises';
import { randomNumbers } from '../bounds.ts';

/** An event that was answered with success. */
export type AnsweredEvent = {
  readonly operationId: string;
  readonly accountId: string;
  readonly programmaticCode: string;
  /** `progressedMissions` and `rewards` of the answer. */
  readonly answer: unknown;
};

/** The backends of integrators: each sends an event, repeats it until it is answered, and sends the next. */
export type EventLoad = {
  readonly answered: readonly AnsweredEvent[];
  /** The number of failed and repeated attempts. */
  readonly repeated: number;
  /** The number of answered calls with several events. */
  readonly batches: number;
  /** Resolves after `count` more events have been answered. */
  progress(count: number): Promise<void>;
  /** Stops new events, and resolves after all started ones are answered. */
  stop(): Promise<readonly AnsweredEvent[]>;
};

export type EventLoadOptions = {
  /** Called before each attempt, so that a restarted service is found and several are used. */
  readonly baseUrl: () => string;
  readonly apiKey: string;
  readonly seed: number;
  readonly workers?: number;
  /** External account ids; few, so that events of the same account overlap. */
  readonly accounts?: number;
  /** The milliseconds between a worker's calls; none by default, so that the workers use the whole machine. */
  readonly pauseMs?: number;
  /** SINGLE codes, chosen at random. */
  readonly codes?: readonly string[];
};

/** Repeats as the guide asks: a retryable failure is repeated after a moment, with the same operation id. */
const REPEATABLE = new Set([409, 500, 502, 503, 504]);

type Event = Omit<AnsweredEvent, 'answer'>;

/** The body of an answer to a batch. */
type BatchBody = { results: Array<{ result?: unknown; error?: { statusCode: number } }> };

/** Starts the load. Every fifth call is a batch of up to eight events. */
export function startEventLoad(options: EventLoadOptions): EventLoad {
  const { baseUrl, apiKey, workers = 16, accounts = 12, pauseMs = 0, codes = ['LOGIN'] } = options;
  const answered: AnsweredEvent[] = [];
  const listeners = new Set<() => void>();
  const stopping = new AbortController();
  let repeated = 0;
  let batches = 0;

  async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
    try {
      const response = await fetch(baseUrl() + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return { status: 503, body: undefined };
    }
  }

  function succeeded(event: Event, answer: unknown): void {
    answered.push({ ...event, answer });
    for (const listener of listeners) listener();
  }

  async function sendOne(event: Event): Promise<Event[]> {
    const { status, body } = await post('/gamification/triggers', triggerOf(event));
    if (status === 200) {
      succeeded(event, body);
      return [];
    }
    if (!REPEATABLE.has(status)) throw new Error(`${status} ${JSON.stringify(body)} for ${JSON.stringify(event)}`);
    return [event];
  }

  async function sendBatch(events: readonly Event[]): Promise<Event[]> {
    const { status, body } = await post('/gamification/triggers/batch', { triggers: events.map(triggerOf) });
    if (REPEATABLE.has(status)) return [...events];
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)} for a batch`);
    batches += 1;
    const { results } = body as BatchBody;
    return events.filter((event, index) => {
      const { result, error } = results[index]!;
      if (result) succeeded(event, result);
      else if (!REPEATABLE.has(error!.statusCode)) throw new Error(`${JSON.stringify(error)} in a batch`);
      return !result;
    });
  }

  async function work(worker: number): Promise<void> {
    const random = randomNumbers(options.seed * 1_000 + worker);
    const oneOf = (count: number) => Math.floor(random() * count);
    for (let call = 0; !stopping.signal.aborted; call += 1) {
      let left = Array.from({ length: call % 5 === 4 ? 1 + oneOf(8) : 1 }, (_, index) => ({
        operationId: `${options.seed}-${worker}-${call}-${index}`,
        accountId: `account-${oneOf(accounts)}`,
        programmaticCode: codes[oneOf(codes.length)]!,
      }));
      for (;;) {
        left = left.length === 1 ? await sendOne(left[0]!) : await sendBatch(left);
        if (left.length === 0) break;
        repeated += left.length;
        await sleep(10 + oneOf(40));
      }
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }

  const done = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  // A waiting test gets the error.
  done.catch(() => {});

  return {
    answered,
    get repeated() {
      return repeated;
    },
    get batches() {
      return batches;
    },
    async progress(count) {
      const goal = answered.length + count;
      const reached = Promise.withResolvers<void>();
      const listener = () => answered.length >= goal && reached.resolve();
      listeners.add(listener);
      await Promise.race([reached.promise, done]);
      listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      await done;
      return answered;
    },
  };
}

function triggerOf({ operationId, accountId, programmaticCode }: Event) {
  return { operationId, accountId, programmaticCode, idType: 'EXTERNAL' };
}

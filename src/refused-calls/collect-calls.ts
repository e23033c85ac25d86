import type { Logger } from 'pino';
import type { AnsweredCall, Asked, CallFailure } from '../clients/answered-call.ts';
import { isPerson } from '../clients/principal.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import type { Clock } from '../kernel/time/clock.ts';
import type { Database } from '../persistence/database.ts';
import { addToCallCounts } from './call-counts.queries.ts';
import { createCallCounts, type HourOfCalls } from './call-counts.ts';
import { type KeptCall, keptCall } from './refused-call.ts';
import { writeRefusedCalls } from './refused-calls.queries.ts';
import { createSampler, SAMPLE_LIMITS, type SampleLimits } from './samples.ts';

/** The unwritten calls of this process. */
export type CallCollector = {
  /** Counts an answered call, and keeps a refused one within the limits. In memory: the call does not wait. */
  observe(call: AnsweredCall): void;
  /** Starts the periodic writes. */
  start(): void;
  /** Writes everything, so that a reader sees all calls of this process. */
  flush(): Promise<void>;
  /** Writes everything and stops. */
  stop(): Promise<void>;
};

/** The dependencies of a collector. */
export type CallCollectorOptions = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds between two writes: a killed process loses at most the calls of this time. 5 s by default. */
  readonly everyMs?: number | undefined;
  readonly limits?: SampleLimits;
  /** Learns of each refused call. */
  readonly onRefused?: (clientId: string) => void;
};

/** Rows of one statement. */
const ROWS_MAX = 1_000;

/** The code of calls whose caller has left: nobody refused them. */
const GONE = 'CANCELED';

/** Collects the calls of known callers, except people, who see the refusal. They are written later, for all callers together. */
export function createCallCollector({
  db,
  clock,
  logger,
  everyMs = 5_000,
  limits = SAMPLE_LIMITS,
  onRefused = () => {},
}: CallCollectorOptions): CallCollector {
  const counts = createCallCounts();
  const sampler = createSampler(limits);
  let kept: KeptCall[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function observe(call: AnsweredCall): void {
    const { failure, items } = call;
    if (isPerson(call.principal) || failure?.code === GONE) return;
    const now = clock();
    if (failure !== undefined) refuse(call, failure, call.asked, now);
    else if (items === undefined) counts.add(kindOf(call, ''), now, 1);
    else {
      const accepted = items.filter((item) => item.failure === undefined).length;
      if (accepted > 0) counts.add(kindOf(call, ''), now, accepted);
      for (const item of items) if (item.failure !== undefined) refuse(call, item.failure, item, now);
    }
  }

  function refuse({ principal, route }: AnsweredCall, failure: CallFailure, asked: Asked | undefined, now: Date): void {
    const kind = kindOf({ principal, route }, failure.code);
    counts.add(kind, now, 1);
    onRefused(kind.clientId);
    if (kept.length >= limits.waiting || !sampler.keeps(kind, now)) return;
    kept.push(keptCall({ kind, failure, asked, tokenAccount: principal.account?.id }));
  }

  async function write(): Promise<void> {
    await writeCounts(counts.take());
    const waiting = kept;
    kept = [];
    for (const [clientId, calls] of Map.groupBy(waiting, (call) => call.clientId)) await writeKept(clientId, calls);
  }

  async function writeCounts(taken: readonly HourOfCalls[]): Promise<void> {
    for (let first = 0; first < taken.length; first += ROWS_MAX) {
      const rows = taken.slice(first, first + ROWS_MAX);
      try {
        await db.systemUnitOfWork((uow) => addToCallCounts(uow, rows));
      } catch (error) {
        // The database is unreachable: the counts go into the next write.
        for (const { hour, calls, ...kind } of rows) counts.add(kind, hour, calls);
        logger.warn({ err: error }, 'refused calls: the counts could not be written yet');
      }
    }
  }

  async function writeKept(clientId: string, calls: readonly KeptCall[]): Promise<void> {
    try {
      await db.unitOfWork(clientId, (uow) => writeRefusedCalls(uow, calls));
    } catch (error) {
      // Rows that the database refuses would be refused again for ever.
      if (isUnavailable(error)) kept = [...calls, ...kept].slice(0, limits.waiting);
      logger.warn({ err: error, clientId }, 'refused calls: they could not be written yet');
    }
  }

  /** Writes run one after the other, so that each includes what an earlier one could not write. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    observe,
    start() {
      timer ??= setInterval(() => void flush(), everyMs).unref();
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'UNAVAILABLE';
}

function kindOf({ principal, route }: Pick<AnsweredCall, 'principal' | 'route'>, code: string) {
  return { clientId: principal.clientId, credentialId: principal.credentialId, operation: operationOf(route), code };
}

const operations = new Map<string, string>();

/** The operation as in the audit log: without its package. */
function operationOf(route: string): string {
  const known = operations.get(route);
  if (known !== undefined) return known;
  const operation = route.slice(route.lastIndexOf('.', route.indexOf('/')) + 1).replace('/', '.');
  operations.set(route, operation);
  return operation;
}

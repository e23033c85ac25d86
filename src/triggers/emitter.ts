import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import { operationInProgress } from '../idempotency/once.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import { createBatcher } from '../persistence/batching/batcher.ts';
import { type BatchRunnerOptions, createBatchRunner, type Emission } from './batch-runner.ts';
import { batchSizeFor } from './batch-size.ts';
import type { LargeClients } from './large-clients.ts';
import {
  createOperationsInFlight,
  distinctOperations,
  type Operation,
  operationKey,
  repeated,
} from './trigger-operations.ts';

/** Applies triggers by group commit. */
export type Emitter = {
  /**
   * Applies one trigger and resolves when it is committed.
   * @throws DomainError as documented for TriggerService.EmitTrigger
   */
  emit(clientId: string, trigger: Trigger): Promise<Emission>;
  /**
   * Applies triggers in order, each with its own result or error. If the answers to earlier triggers are long enough, the others have no
   * effect and get `BATCH_TOO_LARGE`.
   */
  emitInOrder(clientId: string, triggers: readonly Trigger[]): Promise<Array<Emission | Error>>;
  /** Triggers that wait for a batch. */
  waiting(): number;
  /** Resolves when no trigger is queued or running. */
  idle(): Promise<void>;
};

export type EmitterOptions = BatchRunnerOptions & {
  readonly triggerConcurrency: number;
  readonly largeClients: Pick<LargeClients, 'has' | 'run'>;
};

/** The most events in one transaction: a larger batch takes longer and costs no less per event. */
const BATCH_MAX = 200;

/**
 * The missions in the answers to one call after which no further batch starts. One takes about a kilobyte until it is written, and a process
 * has 500 MB.
 */
export const MISSIONS_MAX = 50_000;

/** The most clients with events in one transaction. */
const CLIENTS_MAX = 32;

/** Events of a client in such a transaction; with more, the client gets its own transaction. */
const EVENTS_PER_CLIENT_MAX = 8;

/** The emitter of this process. */
export function createEmitter(options: EmitterOptions): Emitter {
  const { db, catalogs, clock, triggerConcurrency, largeClients } = options;
  const inFlight = createOperationsInFlight();
  const { run, runTogether } = createBatchRunner(options);
  const batcher = createBatcher<Trigger, Emission>({
    name: 'events',
    concurrency: triggerConcurrency,
    batchMax: BATCH_MAX,
    run,
    together: {
      clientsMax: CLIENTS_MAX,
      jobsMax: EVENTS_PER_CLIENT_MAX,
      run: runTogether,
      mayJoin: (clientId) => !largeClients.has(clientId),
    },
  });

  async function emitTogether(clientId: string, operations: readonly Operation[]): Promise<Array<Emission | Error>> {
    const free = operations.filter(({ key }) => key === undefined || !inFlight.has(key));
    const keys = free.flatMap(({ key }) => key ?? []);
    const triggers = free.map(({ trigger }) => trigger);
    const emissions =
      free.length === 0 ? [] : await inFlight.during(keys, () => batcher.submitTogether(clientId, triggers));
    if (free.length === operations.length) return emissions;
    const emissionOf = new Map(free.map((operation, index) => [operation, emissions[index]!]));
    return operations.map(
      (operation) => emissionOf.get(operation) ?? operationInProgress(operation.trigger.operationId),
    );
  }

  async function emitDistinct(clientId: string, operations: readonly Operation[]): Promise<Array<Emission | Error>> {
    const catalog = catalogs.lastKnown(clientId) ?? (await db.unitOfWork(clientId, catalogs));
    const results: Array<Emission | Error> = [];
    let missions = 0;
    while (results.length < operations.length && missions < MISSIONS_MAX) {
      const next = operations.slice(results.length, results.length + BATCH_MAX);
      const triggers = next.map(({ trigger }) => trigger);
      const part = await emitTogether(clientId, next.slice(0, batchSizeFor(catalog, triggers, clock())));
      results.push(...part);
      for (const emission of part)
        if (!(emission instanceof Error)) missions += emission.response.progressedMissions.length;
    }
    const left = operations.length - results.length;
    return [...results, ...Array.from({ length: left }, () => answerTooLong(results.length))];
  }

  return {
    emit(clientId, trigger) {
      const key = operationKey(clientId, trigger);
      if (key === undefined) return batcher.submit(clientId, trigger);
      if (inFlight.has(key)) return Promise.reject(operationInProgress(trigger.operationId));
      return inFlight.during([key], () => batcher.submit(clientId, trigger));
    },
    async emitInOrder(clientId, triggers) {
      const { distinct, firstOf } = distinctOperations(clientId, triggers);
      const emissions = await emitDistinct(clientId, distinct);
      return triggers.map((trigger, index) => {
        const first = firstOf[index]!;
        const emission = emissions[first]!;
        const applied = distinct[first]!.trigger;
        return trigger === applied ? emission : repeated(trigger, applied, emission);
      });
    },
    waiting: batcher.waiting,
    idle: () => batcher.idle(),
  };
}

/** The refusal of an event behind so many missions. @param applied the number of events before it */
export function answerTooLong(applied: number): DomainError {
  return new DomainError(
    'BATCH_TOO_LARGE',
    sentence`The answer is full after the first ${applied} events, so this one was not applied. Send it again in another batch.`,
  );
}

import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import type { Journaling } from '../journal/journal.queries.ts';
import { afterAll } from '../kernel/concurrency/after-all.ts';
import type { Clock } from '../kernel/time/clock.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import { operationIdReused, operationInProgress } from '../idempotency/once.ts';
import { retryIfTaken } from '../idempotency/operation-taken.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import { enqueuedIn } from '../webhooks/outbox/enqueue-webhooks.ts';
import { type ClientJobs, createBatcher } from '../persistence/batching/batcher.ts';
import type { LargeClients } from './large-clients.ts';
import { runTriggers, type TriggerOutcome } from './run-triggers.ts';
import { claimOf } from './trigger-claim.ts';
import { batchSizeFor } from './batch-size.ts';

/** A trigger's outcome, and what to call once its answer has been written. */
export type Emission = TriggerOutcome & { readonly answered: () => void };

/** Applies triggers by group commit. */
export type Emitter = {
  /**
   * Applies one trigger and resolves when it is committed.
   * @throws DomainError as documented for TriggerService.EmitTrigger
   */
  emit(clientId: string, trigger: Trigger): Promise<Emission>;
  /**
   * Applies triggers in order, each with its own result or error: `BATCH_TOO_LARGE` for those that had no effect because
   * the answers to the ones before them are long enough.
   */
  emitInOrder(clientId: string, triggers: readonly Trigger[]): Promise<Array<Emission | Error>>;
  /** Triggers that wait for a batch. */
  waiting(): number;
  /** Resolves when no trigger is queued or running. */
  idle(): Promise<void>;
};

export type EmitterOptions = {
  readonly db: Database;
  readonly catalogs: Catalogs;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly clock: Clock;
  readonly triggerConcurrency: number;
  readonly largeClients: Pick<LargeClients, 'has' | 'run'>;
  /** How the journal tells what became of events; false where it does not. */
  readonly journal?: Journaling | false | undefined;
};

/** Most events in one transaction: beyond it a batch takes longer without costing less per event. */
const BATCH_MAX = 200;

/**
 * Missions in the answers to one call, plus at most one batch: a thousand events with fifty missions each. Each mission
 * takes about a kilobyte until it is written, and a process has 500 MB.
 */
const MISSIONS_MAX = 50_000;

/** Clients whose events one transaction carries at most. */
const CLIENTS_MAX = 32;

/** Events of a client in such a transaction; with more, the client gets its own transaction. */
const SHARE_MAX = 8;

/** The results of a batch of one client, before its commit. */
type Applied = {
  readonly outcomes: Array<TriggerOutcome | DomainError>;
  readonly messageIds: ReturnType<typeof enqueuedIn>;
};

/** The emitter of this process. */
export function createEmitter({
  db,
  catalogs,
  dispatcher,
  clock,
  triggerConcurrency,
  largeClients,
  journal,
}: EmitterOptions): Emitter {
  const inFlight = new Set<string>();
  const batcher = createBatcher<Trigger, Emission>({
    name: 'events',
    concurrency: triggerConcurrency,
    batchMax: BATCH_MAX,
    run,
    together: {
      clientsMax: CLIENTS_MAX,
      jobsMax: SHARE_MAX,
      run: runTogether,
      mayJoin: (clientId) => !largeClients.has(clientId),
    },
  });

  /** A batch that met an id which another has just stored for another event knows of it the second time. */
  function run(clientId: string, triggers: readonly Trigger[]): Promise<Array<Emission | Error>> {
    return retryIfTaken(() => largeClients.run(clientId, () => runOnce(clientId, triggers)));
  }

  async function runOnce(clientId: string, triggers: readonly Trigger[]): Promise<Array<Emission | Error>> {
    return emissionsOf(clientId, await db.unitOfWork(clientId, (uow) => applied(uow, triggers)));
  }

  async function runTogether(clients: readonly ClientJobs<Trigger>[]): Promise<Array<Array<Emission | Error>>> {
    const clientIds = clients.map(({ clientId }) => clientId);
    const all = await db.unitsOfWork(clientIds, (uow, index) => applied(uow, clients[index]!.jobs));
    return all.map((own, index) => emissionsOf(clientIds[index]!, own));
  }

  async function applied(uow: UnitOfWork, triggers: readonly Trigger[]): Promise<Applied> {
    return { outcomes: await runTriggers(uow, catalogs, triggers, clock(), { journal }), messageIds: enqueuedIn(uow) };
  }

  function emissionsOf(clientId: string, { outcomes, messageIds }: Applied): Array<Emission | Error> {
    // A webhook must not overtake an answer, and the messages of a batch go out together: after its last answer.
    const answers = outcomes.filter((outcome) => !(outcome instanceof Error)).length;
    const answered = afterAll(answers, () => dispatcher.wake(clientId, messageIds));
    return outcomes.map((outcome) => (outcome instanceof Error ? outcome : { ...outcome, answered }));
  }

  /** Holds operations while `submit` runs: a duplicate in this process is told at once, without a round trip. */
  async function withOperationsInFlight<T>(keys: readonly string[], submit: () => Promise<T>): Promise<T> {
    for (const key of keys) inFlight.add(key);
    try {
      return await submit();
    } finally {
      for (const key of keys) inFlight.delete(key);
    }
  }

  async function emitTogether(clientId: string, operations: readonly Operation[]): Promise<Array<Emission | Error>> {
    const free = operations.filter(({ key }) => key === undefined || !inFlight.has(key));
    const keys = free.flatMap(({ key }) => key ?? []);
    const triggers = free.map(({ trigger }) => trigger);
    const emissions =
      free.length === 0 ? [] : await withOperationsInFlight(keys, () => batcher.submitTogether(clientId, triggers));
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
      return withOperationsInFlight([key], () => batcher.submit(clientId, trigger));
    },
    async emitInOrder(clientId, triggers) {
      const { distinct, firstOf } = distinctOperations(clientId, triggers);
      const emissions = await emitDistinct(clientId, distinct);
      return triggers.map((trigger, place) => {
        const first = firstOf[place]!;
        const emission = emissions[first]!;
        const applied = distinct[first]!.trigger;
        return trigger === applied ? emission : repeated(trigger, applied, emission);
      });
    },
    waiting: batcher.waiting,
    idle: () => batcher.idle(),
  };
}

/** The key of an operation in flight; undefined for a trigger without an operation id, which is never a repeat. */
function operationKey(clientId: string, { programmaticCode, operationId }: Trigger): string | undefined {
  if (operationId === '') return undefined;
  return `${clientId} ${programmaticCode.length} ${programmaticCode} ${operationId}`;
}

/** A trigger to be applied, and its {@link operationKey}. */
type Operation = { readonly trigger: Trigger; readonly key: string | undefined };

/** The triggers without those whose operation stands before them, and for each trigger the index of the one to be applied. */
function distinctOperations(clientId: string, triggers: readonly Trigger[]) {
  const distinct: Operation[] = [];
  const places = new Map<string, number>();
  const firstOf = triggers.map((trigger) => {
    const key = operationKey(clientId, trigger);
    const known = key === undefined ? undefined : places.get(key);
    if (known !== undefined) return known;
    if (key !== undefined) places.set(key, distinct.length);
    return distinct.push({ trigger, key }) - 1;
  });
  return { distinct, firstOf };
}

/** The answer to a trigger whose operation stands before it in the same call: that of the first, success or error. */
function repeated(trigger: Trigger, first: Trigger, emission: Emission | Error): Emission | Error {
  if (!claimOf(trigger)!.fingerprint.equals(claimOf(first)!.fingerprint)) return operationIdReused(trigger.operationId);
  // Only the first has been waited for before its webhooks go out.
  return emission instanceof Error ? emission : { ...emission, replayed: true, answered: () => {} };
}

function answerTooLong(applied: number): DomainError {
  return new DomainError(
    'BATCH_TOO_LARGE',
    sentence`The answers to the first ${applied} events tell of so many missions that this one was not applied. Send it again in another batch.`,
  );
}

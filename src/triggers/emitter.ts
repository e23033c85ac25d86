import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import type { Catalogs } from '../campaigns/catalog.ts';
import type { Clock } from '../kernel/clock.ts';
import { operationInProgress } from '../operations/once.ts';
import type { Database } from '../persistence/database.ts';
import type { Dispatcher } from '../webhooks/dispatcher.ts';
import { enqueuedIn } from '../webhooks/enqueue-webhooks.ts';
import { createLanes } from '../persistence/lanes.ts';
import { runTriggers, type TriggerOutcome } from './run-triggers.ts';

/** A trigger's outcome, and what to call once its answer has been written. */
export type Emission = TriggerOutcome & { readonly answered: () => void };

/** Applies triggers by group commit. */
export type Emitter = {
  /**
   * Applies one trigger and resolves when it is committed.
   * @throws DomainError as documented for TriggerService.EmitTrigger
   */
  emit(clientId: string, trigger: Trigger): Promise<Emission>;
  /** Applies triggers in order, each with its own result or error. */
  emitInOrder(clientId: string, triggers: readonly Trigger[]): Promise<Array<Emission | Error>>;
  /** Resolves when no trigger is queued or running. */
  idle(): Promise<void>;
};

export type EmitterOptions = {
  readonly db: Database;
  readonly catalogs: Catalogs;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly clock: Clock;
  readonly laneCount: number;
};

/** Most events in one transaction: beyond it a batch takes longer without costing less per event. */
const BATCH_MAX = 200;

/** The emitter of this process. */
export function createEmitter({ db, catalogs, dispatcher, clock, laneCount }: EmitterOptions): Emitter {
  const inFlight = new Set<string>();
  const lanes = createLanes<Trigger, Emission>({ laneCount, batchMax: BATCH_MAX, run });

  async function run(clientId: string, triggers: readonly Trigger[]): Promise<Array<Emission | Error>> {
    const { outcomes, messageIds } = await db.unitOfWork(clientId, async (uow) => ({
      outcomes: await runTriggers(uow, catalogs, triggers, clock()),
      messageIds: enqueuedIn(uow),
    }));
    const answered = whenAllAnswered(outcomes, () => dispatcher.wake(clientId, messageIds));
    return outcomes.map((outcome) => (outcome instanceof Error ? outcome : { ...outcome, answered }));
  }

  /** A webhook must not overtake an answer, and the messages of a batch go out together: after its last answer. */
  function whenAllAnswered(outcomes: ReadonlyArray<TriggerOutcome | Error>, wake: () => void): () => void {
    let unanswered = outcomes.filter((outcome) => !(outcome instanceof Error)).length;
    return () => {
      unanswered -= 1;
      if (unanswered === 0) wake();
    };
  }

  /** Runs `submit` unless the id is in use in this process: such a duplicate is told at once, without a round trip. */
  async function exclusively<T>(
    clientId: string,
    operationIds: readonly string[],
    submit: () => Promise<T>,
  ): Promise<T> {
    const keys = operationIds.map((operationId) => `${clientId} ${operationId}`);
    for (const key of keys) inFlight.add(key);
    try {
      return await submit();
    } finally {
      for (const key of keys) inFlight.delete(key);
    }
  }

  function isInFlight(clientId: string, operationId: string): boolean {
    return operationId !== '' && inFlight.has(`${clientId} ${operationId}`);
  }

  async function emitTogether(clientId: string, triggers: readonly Trigger[]): Promise<Array<Emission | Error>> {
    const results = new Array<Emission | Error>(triggers.length);
    const seen = new Set<string>();
    const free = triggers.flatMap((trigger, place) => {
      const { operationId } = trigger;
      if (!isInFlight(clientId, operationId) && !seen.has(operationId)) {
        if (operationId !== '') seen.add(operationId);
        return [{ trigger, place }];
      }
      results[place] = operationInProgress(operationId);
      return [];
    });
    if (free.length === 0) return results;
    const emissions = await exclusively(clientId, [...seen], () =>
      lanes.submitTogether(
        clientId,
        free.map(({ trigger }) => trigger),
      ),
    );
    emissions.forEach((emission, index) => (results[free[index]!.place] = emission));
    return results;
  }

  return {
    emit(clientId, trigger) {
      const { operationId } = trigger;
      if (operationId === '') return lanes.submit(clientId, trigger);
      if (isInFlight(clientId, operationId)) return Promise.reject(operationInProgress(operationId));
      return exclusively(clientId, [operationId], () => lanes.submit(clientId, trigger));
    },
    async emitInOrder(clientId, triggers) {
      const results: Array<Emission | Error> = [];
      for (let start = 0; start < triggers.length; start += BATCH_MAX) {
        results.push(...(await emitTogether(clientId, triggers.slice(start, start + BATCH_MAX))));
      }
      return results;
    },
    idle: () => lanes.idle(),
  };
}

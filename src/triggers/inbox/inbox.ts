import type { Trigger } from '../../../gen/laurel/v1/trigger_pb.ts';
import { retryIfTaken } from '../../idempotency/operation-taken.ts';
import { createBatcher } from '../../persistence/batching/batcher.ts';
import { type Acceptance, acceptTriggers, type Arrival } from './accept-triggers.ts';
import { createInboxWorker, type InboxWorker, type InboxWorkerOptions } from './inbox-worker.ts';

/** Accepts triggers now and applies them later. */
export type Inbox = InboxWorker & {
  /** The number of triggers that wait to be accepted. */
  waiting(): number;
  /**
   * Stores one trigger and resolves when that is committed; call `wake` once the answer has been written.
   * @throws DomainError as documented for TriggerService.EmitTriggerAsync
   */
  accept(clientId: string, trigger: Trigger): Promise<Acceptance>;
};

/** The most triggers accepted in one transaction. */
const BATCH_MAX = 200;

/** The inbox of this process. Triggers are accepted by group commit, in the same way as they are applied. */
export function createInbox(options: InboxWorkerOptions): Inbox {
  const { db, catalogs, clock, triggerConcurrency } = options;
  const worker = createInboxWorker(options);
  const batcher = createBatcher<Arrival, Acceptance>({
    name: 'accepted events',
    concurrency: triggerConcurrency,
    batchMax: BATCH_MAX,
    run: (clientId, arrivals) =>
      retryIfTaken(() => db.unitOfWork(clientId, (uow) => acceptTriggers(uow, catalogs, arrivals))),
  });
  return {
    ...worker,
    waiting: batcher.waiting,
    accept: (clientId, trigger) => batcher.submit(clientId, { trigger, acceptedAt: clock() }),
    async stop() {
      await batcher.idle();
      await worker.stop();
    },
  };
}

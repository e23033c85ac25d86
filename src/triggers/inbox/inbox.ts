import type { Trigger } from '../../../gen/laurel/v1/trigger_pb.ts';
import { createLanes } from '../../persistence/lanes.ts';
import { type Acceptance, acceptTriggers, type Arrival } from './accept-triggers.ts';
import { createInboxWorker, type InboxWorker, type InboxWorkerOptions } from './inbox-worker.ts';

/** Accepts triggers now and applies them later. */
export type Inbox = InboxWorker & {
  /**
   * Stores one trigger and resolves when that is committed; `wake` it once the answer has been written.
   * @throws DomainError as documented for TriggerService.EmitTriggerAsync
   */
  accept(clientId: string, trigger: Trigger): Promise<Acceptance>;
};

/** Most triggers accepted in one transaction. */
const BATCH_MAX = 200;

/** The inbox of this process. Triggers are accepted by group commit, as they are applied. */
export function createInbox(options: InboxWorkerOptions): Inbox {
  const { db, catalogs, clock, laneCount } = options;
  const worker = createInboxWorker(options);
  const lanes = createLanes<Arrival, Acceptance>({
    laneCount,
    batchMax: BATCH_MAX,
    run: (clientId, arrivals) => db.unitOfWork(clientId, (uow) => acceptTriggers(uow, catalogs, arrivals)),
  });
  return {
    ...worker,
    accept: (clientId, trigger) => lanes.submit(clientId, { trigger, acceptedAt: clock() }),
    async stop() {
      await lanes.idle();
      await worker.stop();
    },
  };
}

import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import { retryIfTaken } from '../idempotency/operation-taken.ts';
import type { Journaling } from '../journal/journal.queries.ts';
import { afterAll } from '../kernel/concurrency/after-all.ts';
import type { DomainError } from '../kernel/errors/domain-error.ts';
import type { Clock } from '../kernel/time/clock.ts';
import type { ClientJobs } from '../persistence/batching/batcher.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import { enqueuedIn } from '../webhooks/outbox/enqueue-webhooks.ts';
import type { LargeClients } from './large-clients.ts';
import { runTriggers, type TriggerOutcome } from './run-triggers.ts';

/** A trigger's outcome, and the function to call once its answer has been written. */
export type Emission = TriggerOutcome & { readonly afterAnswer: () => void };

/** Runs transactions with the triggers of one client or of several; each trigger gets its own result or error, in order. */
export type BatchRunner = {
  run(clientId: string, triggers: readonly Trigger[]): Promise<Array<Emission | Error>>;
  runTogether(clients: readonly ClientJobs<Trigger>[]): Promise<Array<Array<Emission | Error>>>;
};

export type BatchRunnerOptions = {
  readonly db: Database;
  readonly catalogs: Catalogs;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly clock: Clock;
  readonly largeClients: Pick<LargeClients, 'run'>;
  /** The way in which the journal records events; false without a journal. */
  readonly journal?: Journaling | false | undefined;
};

/** The results of a batch of one client, before its commit. */
type Applied = {
  readonly outcomes: Array<TriggerOutcome | DomainError>;
  readonly messages: ReturnType<typeof enqueuedIn>;
};

/** Runs batches of triggers in transactions and sends their webhooks after the answers. */
export function createBatchRunner({
  db,
  catalogs,
  dispatcher,
  clock,
  largeClients,
  journal,
}: BatchRunnerOptions): BatchRunner {
  async function apply(uow: UnitOfWork, triggers: readonly Trigger[]): Promise<Applied> {
    return { outcomes: await runTriggers(uow, catalogs, triggers, clock(), { journal }), messages: enqueuedIn(uow) };
  }

  function emissionsOf(clientId: string, { outcomes, messages }: Applied): Array<Emission | Error> {
    // A webhook must not overtake an answer, so the messages of a batch are sent together after its last answer.
    const answers = outcomes.filter((outcome) => !(outcome instanceof Error)).length;
    const afterAnswer = afterAll(answers, () => dispatcher.wake(clientId, messages));
    return outcomes.map((outcome) => (outcome instanceof Error ? outcome : { ...outcome, afterAnswer }));
  }

  async function runOnce(clientId: string, triggers: readonly Trigger[]): Promise<Array<Emission | Error>> {
    return emissionsOf(clientId, await db.unitOfWork(clientId, (uow) => apply(uow, triggers)));
  }

  return {
    /** Retried once if another transaction stored one of the operation ids meanwhile: the retry then sees it. */
    run: (clientId, triggers) => retryIfTaken(() => largeClients.run(clientId, () => runOnce(clientId, triggers))),
    async runTogether(clients) {
      const clientIds = clients.map(({ clientId }) => clientId);
      const all = await db.unitsOfWork(clientIds, (uow, index) => apply(uow, clients[index]!.jobs));
      return all.map((own, index) => emissionsOf(clientIds[index]!, own));
    },
  };
}

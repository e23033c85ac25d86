import type { MessageInitShape } from '@bufbuild/protobuf';
import type { BackfillResultSchema, Trigger } from '../../../gen/laurel/v1/trigger_pb.ts';
import type {
  BackfillTriggersRequest,
  BackfillTriggersResponseSchema,
} from '../../../gen/laurel/v1/trigger_service_pb.ts';
import type { Catalogs } from '../../campaigns/catalog/catalog.ts';
import { requireBackfillDays } from '../../clients/backfill-days.ts';
import type { Call } from '../../clients/call.ts';
import { retryIfTaken } from '../../idempotency/operation-taken.ts';
import type { Journaling } from '../../journal/journal.queries.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { itemErrorOf } from '../../kernel/errors/item-error.ts';
import { itemFaultOf } from '../../kernel/errors/item-faults.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { wakeAfter } from '../../webhooks/delivery/wake-after.ts';
import type { LargeClients } from '../large-clients.ts';
import type { TriggerOutcome } from '../run-triggers.ts';
import { distinctOperations, repeated } from '../trigger-operations.ts';
import { backfillRewardsOf } from './backfill.ts';
import { NO_EVENTS, toSummaryMessage, withOutcomes } from './backfill-summary.ts';
import { inOrderOfOccurrence, inParts, runBackfill } from './run-backfill.ts';

/** The dependencies of {@link backfillTriggers}. */
export type BackfillOptions = {
  readonly catalogs: Catalogs;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly largeClients: Pick<LargeClients, 'run'>;
  readonly journal?: Journaling | false | undefined;
};

type Outcome = TriggerOutcome | DomainError;

/**
 * Applies events that are older than 24 hours, in the order in which they occurred, and answers each by its own result or error: proto
 * TriggerService.BackfillTriggers.
 */
export async function backfillTriggers(
  call: Call,
  request: BackfillTriggersRequest,
  options: BackfillOptions,
): Promise<MessageInitShape<typeof BackfillTriggersResponseSchema>> {
  const { db, principal, clock } = call;
  const { clientId } = principal;
  const { triggers, webhooks, dryRun } = request;
  const rewardsDelivered = backfillRewardsOf(request.rewards);
  const sound = triggers.filter((trigger) => itemFaultOf(trigger) === undefined);
  const sorted = inOrderOfOccurrence(sound).map((index) => sound[index]!);
  const { distinct, firstOf } = distinctOperations(clientId, sorted);
  const applied = distinct.map(({ trigger }) => trigger);
  const apply = async (uow: UnitOfWork, rest: readonly Trigger[]): Promise<Outcome[]> => {
    const backfill = { daysMax: await requireBackfillDays(uow), rewards: rewardsDelivered };
    return runBackfill(uow, rest, { ...options, now: clock(), backfill, webhooks });
  };
  const outcomes = dryRun
    ? await db.rehearse(clientId, (uow) => inParts(applied, (rest) => apply(uow, rest)))
    : await inParts(applied, (rest) => applyPart(call, rest, apply, options));
  const outcomeOf = new Map<Trigger, Outcome>(
    sorted.map((trigger, index) => {
      const first = firstOf[index]!;
      const outcome = outcomes[first]!;
      return [trigger, trigger === applied[first] ? outcome : repeatedOutcome(trigger, applied[first]!, outcome)];
    }),
  );
  const all = triggers.map((trigger) => itemFaultOf(trigger) ?? outcomeOf.get(trigger)!);
  const { rewards } = options.catalogs.lastKnown(clientId) ?? (await db.unitOfWork(clientId, options.catalogs));
  const summary = withOutcomes(NO_EVENTS, all, (id) => rewards.get(id)?.name ?? '');
  return { results: all.map(resultOf), summary: toSummaryMessage(summary) };
}

/** Applies a first part of the events in one transaction. */
async function applyPart(
  call: Call,
  rest: readonly Trigger[],
  apply: (uow: UnitOfWork, rest: readonly Trigger[]) => Promise<Outcome[]>,
  { dispatcher, largeClients }: BackfillOptions,
): Promise<Outcome[]> {
  const { db, principal } = call;
  const work = async (uow: UnitOfWork) => {
    const part = await apply(uow, rest);
    return { part, wake: wakeAfter(uow, dispatcher) };
  };
  const { part, wake } = await retryIfTaken(() =>
    largeClients.run(principal.clientId, () => db.unitOfWork(principal.clientId, work)),
  );
  if (wake !== undefined) call.afterResponse(wake);
  return part;
}

/** The outcome of a duplicate in the same call. */
function repeatedOutcome(trigger: Trigger, first: Trigger, outcome: Outcome): Outcome {
  const known = outcome instanceof DomainError ? outcome : { ...outcome, afterAnswer: () => {} };
  const again = repeated(trigger, first, known);
  if (again instanceof DomainError) return again;
  if (again instanceof Error) throw again;
  return { response: again.response, replayed: true };
}

function resultOf(outcome: Outcome): MessageInitShape<typeof BackfillResultSchema> {
  if (outcome instanceof DomainError) return { outcome: { case: 'error', value: itemErrorOf(outcome) } };
  const { response, replayed, backfilled } = outcome;
  const { progressedMissions, rewards, pendingRewards, skippedRewards } = response;
  const { uncountedReason, tooLateMissionIds = [] } = backfilled ?? {};
  const lists = { progressedMissions, rewards, pendingRewards, skippedRewards };
  return {
    outcome: {
      case: 'result',
      value: { ...lists, replayed, uncountedReason, tooLateMissionIds: [...tooLateMissionIds] },
    },
  };
}

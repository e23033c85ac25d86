import type { MissionCompletionJson } from '../../gen/laurel/v1/webhook_pb.ts';
import { shownAfter } from '../campaigns/assignments/assignment-message.ts';
import { collectsChanges } from '../changes/collect-changes.ts';
import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import type { Completed, Decision, OccurrenceCounted } from '../engine/decision.ts';
import { amountToNumber } from '../kernel/amount.ts';
import { inTimeSlices, type Steps } from '../kernel/concurrency/time-slices.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { enqueueWebhooks, feedOnly, type WebhookMessage } from '../webhooks/outbox/enqueue-webhooks.ts';
import type { Rewardable } from './batch-trigger.ts';

/**
 * Announces each mission, or period of a ROUTINE, that a batch of events completes: a message to each receiver is added to the outbox. It
 * runs in their transaction, with the accounts locked. Without a receiver and a feed, it makes none.
 */
export async function announceCompletions(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  decided: readonly Rewardable[],
): Promise<void> {
  if (!catalog.sendsCompletions && !collectsChanges(uow)) return;
  const messages = await inTimeSlices(messagesOf(uow.clientId, catalog, decided));
  if (catalog.sendsCompletions) await enqueueWebhooks(uow, messages);
  else feedOnly(uow, messages);
}

function* messagesOf(
  clientId: string,
  catalog: ClientCatalog,
  decided: readonly Rewardable[],
): Steps<WebhookMessage[]> {
  const messages: WebhookMessage[] = [];
  for (const item of decided) {
    for (const [index, decision] of item.decisions.entries()) {
      if (decision.kind !== 'completed') continue;
      const counted = countedBy(item.decisions[index + 1], decision.missionId);
      const completion = missionCompletion(clientId, catalog, item, decision, counted);
      messages.push({ kind: 'MISSION_COMPLETED', json: JSON.stringify(completion), campaignId: completion.campaignId });
    }
    yield;
  }
  return messages;
}

/** The decision that counts the completed period of a ROUTINE; undefined for other missions. */
function countedBy(next: Decision | undefined, missionId: string): OccurrenceCounted | undefined {
  return next?.kind === 'occurrenceCounted' && next.missionId === missionId ? next : undefined;
}

function missionCompletion(
  clientId: string,
  catalog: ClientCatalog,
  { account, claim }: Rewardable,
  completed: Completed,
  counted: OccurrenceCounted | undefined,
): MissionCompletionJson {
  const { missionId, assignment } = completed;
  const { completions } = assignment.detail ?? {};
  const mission = catalog.missions.get(missionId)!;
  const { campaignId } = mission;
  return {
    accountId: account.id,
    externalId: account.externalId,
    clientId,
    missionId,
    name: mission.name,
    type: mission.type,
    ...(campaignId !== null &&
      campaignId !== undefined && { campaignId, campaignName: catalog.campaigns.get(campaignId)?.name ?? '' }),
    assignmentId: assignment.id,
    progress: amountToNumber(shownAfter(completed).progress),
    target: amountToNumber(assignment.target),
    completedAt: new Date(assignment.completedAt!).toISOString(),
    operationId: claim?.operationId,
    ...(assignment.periodKey !== '' && { periodKey: assignment.periodKey }),
    ...(counted && {
      occurrences: {
        completed: amountToNumber(counted.assignment.progress),
        target: amountToNumber(counted.assignment.target),
      },
    }),
    ...(completions !== undefined && { completions, rounds: completed.rounds }),
  };
}

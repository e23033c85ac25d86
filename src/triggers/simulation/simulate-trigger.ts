import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Assignment_Status } from '../../../gen/laurel/v1/assignment_pb.ts';
import {
  type SimulatedMission,
  SimulatedMission_ClosingSchema,
  SimulatedMissionSchema,
} from '../../../gen/laurel/v1/trigger_pb.ts';
import type {
  SimulateTriggerRequest,
  SimulateTriggerResponseSchema,
} from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { SimulatedMission_Reason as Reason } from '../../../gen/laurel/v1/trigger_pb.ts';
import { Uncounted_Reason } from '../../../gen/laurel/v1/uncounted_pb.ts';
import { uncountedReasons } from '../../../gen/uncounted-reasons.ts';
import type { Account } from '../../accounts/account.ts';
import { resolveAccounts } from '../../accounts/resolving/resolve-accounts.ts';
import { progressedMission } from '../../campaigns/assignments/assignment-message.ts';
import type { Catalogs, ClientCatalog } from '../../campaigns/catalog/catalog.ts';
import { completionKey, completionStates } from '../../campaigns/completion/completions.queries.ts';
import { loadAccountContexts, accountsWithoutAssignments } from '../../campaigns/assignments/account-contexts.ts';
import type { Call } from '../../clients/call.ts';
import { applyInSteps } from '../../engine/apply-event.ts';
import type { CampaignClaimable, CampaignClosed, Decision, UncountedReason } from '../../engine/decision.ts';
import { copyOfLevels, decideLevels } from '../../engine/levels/account-levels.ts';
import { toMovedLevelMessage } from '../../levels/accounts/level-message.ts';
import { missionEffects, statisticEffects } from '../../engine/statistics/statistic-plan.ts';
import { toMovedStatisticMessage } from '../../statistics/values/statistic-message.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { inTimeSlices } from '../../kernel/concurrency/time-slices.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { isEarned, type RewardOrder, type Skipped } from '../../rewards/delivery/earned-reward.ts';
import { toSkippedRewardMessage } from '../../rewards/delivery/skipped-reward-message.ts';
import { enqueuedRequests } from '../../webhooks/outbox/enqueued-requests.ts';
import { announceCompletions } from '../announce-completions.ts';
import { eventOf } from '../event-of.ts';
import { isOfEvents } from '../levels-of-event.ts';
import { countPoints } from '../points-of-event.ts';
import { rewardDecisions } from '../reward-decisions.ts';
import { sumsOf } from '../statistics-of-event.ts';
import { simulatedRewards, type SimulatedRewards } from './simulated-rewards.ts';
import { addWebhooks } from './simulated-webhooks.ts';
import type { DecidedTrigger } from '../batch-trigger.ts';
import { unmetCondition } from './unmet-condition.ts';
import { claimOfTrigger } from '../trigger-claim.ts';

/** The reasons of 0.2.0 that 0.1.0 did not have, each with its value in the deprecated field. */
const DEPRECATED_REASONS: Readonly<Partial<Record<UncountedReason, Reason>>> = {
  CAMPAIGN_PAUSED: Reason.CAMPAIGN_NOT_ACTIVE,
  BEFORE_JOINING: Reason.NOT_IN_AUDIENCE,
  BEFORE_ACTIVATION: Reason.CAMPAIGN_NOT_ACTIVE,
  NOT_STARTED: Reason.OUTSIDE_WINDOW,
  BEFORE_PREREQUISITE: Reason.PREREQUISITE_MISSING,
  NOT_POSITIVE: Reason.BELOW_MINIMUM,
  OUTSIDE_HOURS: Reason.OUTSIDE_WINDOW,
  PERIOD_KEPT: Reason.CAP_REACHED,
  TOO_LATE: Reason.EXPIRED,
};

/** The deprecated `reason` beside an `uncountedReason`; unspecified for newer reasons. */
export function deprecatedReason(reason: UncountedReason): Reason {
  const { [reason]: unchanged }: Partial<Record<UncountedReason, Reason>> = Reason;
  return DEPRECATED_REASONS[reason] ?? unchanged ?? Reason.REASON_UNSPECIFIED;
}

/**
 * Answers the effect of an event on each mission that counts its code, or the reason for no effect: proto
 * TriggerService.SimulateTrigger. The event is applied like any other and rolled back.
 */
export function simulateTrigger(
  { db, principal, clock }: Call,
  request: SimulateTriggerRequest,
  catalogs: Catalogs,
): Promise<MessageInitShape<typeof SimulateTriggerResponseSchema>> {
  const trigger = request.trigger!;
  const now = clock();
  return db.rehearse(principal.clientId, async (uow) => {
    const catalog = await catalogs(uow);
    const event = eventOf(trigger, catalog, now);
    const [account] = await resolveAccounts(uow, [trigger], { now });
    if (account instanceof DomainError) throw account;
    const withoutAssignments = accountsWithoutAssignments(uow, catalog, [account!], {
      now,
      lateFrom: event.occurredAt,
      events: [{ accountId: account!.id, at: event.occurredAt }],
    });
    const contexts = await loadAccountContexts(uow, catalog, [account!], {}, now, withoutAssignments);
    const context = contexts.get(account!.id)!;
    const plans = [...catalog.rules.missions.values()].filter(
      (plan) => plan.programmaticCode === event.programmaticCode,
    );
    const decisions = await inTimeSlices(applyInSteps(plans, context, event, now.getTime()));
    const arrived = { trigger, claim: undefined, acceptedAt: now, mayBeSecondUse: false };
    const counted = catalog.statistics.byEventCode.get(event.programmaticCode) ?? [];
    const ofEvent = statisticEffects(counted, context, event);
    const completed = missionEffects(catalog.statistics.ofMissions, decisions, event.occurredAt);
    const moved = [...ofEvent, ...completed];
    const after = { ...context, statistics: context.statistics.copy(), levels: copyOfLevels(context.levels) };
    after.statistics.record(moved);
    const ofMoved = decideLevels(after, context.statistics, isOfEvents);
    const decided = {
      ...{ ...arrived, event, account: account!, context, after, decisions },
      ...{ statistics: moved, levels: ofMoved },
    };
    const closings = await newClosings(uow, account!, decisions);
    const [rewarded] = await countPoints(uow, catalog, await rewardDecisions(uow, catalog, [decided], now), now);
    const { statistics, levels } = rewarded!;
    // The code that writes the outbox also makes these webhooks, so that the simulation shows the real ones.
    await announceCompletions(uow, catalog, [{ ...decided, claim: claimOfTrigger(trigger) }]);
    const rewards = {
      earned: await simulatedRewards(uow, catalog, rewarded!.outcomes),
      skipped: rewarded!.outcomes.filter((outcome) => !isEarned(outcome)),
    };
    const missions = simulatedMissions(catalog, decided, closings, rewards);
    addWebhooks(missions, await enqueuedRequests(uow));
    return {
      missions,
      statistics: sumsOf(statistics).map((effect) => toMovedStatisticMessage(catalog.statistics, effect)),
      levels: levels.moves.map(toMovedLevelMessage),
      levelRewards: rewards.earned.filter(({ of }) => of.levelTrackId !== undefined).map(({ reward }) => reward),
    };
  });
}

/** The rewards that the event earns, and those that it does not. */
type Rewards = { readonly earned: SimulatedRewards; readonly skipped: readonly Skipped[] };

type Closing = CampaignClosed | CampaignClaimable;

/** The campaigns that the event completes for the first time. */
async function newClosings(uow: UnitOfWork, { id }: Account, decisions: readonly Decision[]): Promise<Closing[]> {
  const closings = decisions.filter(isClosing);
  const pairs = closings.map(({ campaignId }) => ({ accountId: id, campaignId }));
  const before = await completionStates(uow, pairs);
  return closings.filter((_, index) => !before.has(completionKey(pairs[index]!)));
}

function isClosing(decision: Decision): decision is Closing {
  return decision.kind === 'campaignClosed' || decision.kind === 'campaignClaimable';
}

function simulatedMissions(
  catalog: ClientCatalog,
  decided: DecidedTrigger,
  closings: readonly Closing[],
  rewards: Rewards,
): SimulatedMission[] {
  const missions = decided.decisions.flatMap((decision) => simulated(catalog, decided, decision, rewards));
  for (const { campaignId, kind } of closings) {
    const completing = missions.findLast(
      ({ missionId, progress }) =>
        progress?.status === Assignment_Status.COMPLETED && catalog.missions.get(missionId)?.campaignId === campaignId,
    );
    const isOwn = (of: Pick<RewardOrder, 'campaignId' | 'missionId'>) =>
      of.campaignId === campaignId && of.missionId === undefined;
    const closing = {
      campaignId,
      claimable: kind === 'campaignClaimable',
      rewards: rewards.earned.filter(({ of }) => isOwn(of)).map(({ reward }) => reward),
      skippedRewards: rewards.skipped.filter(({ order }) => isOwn(order)).map(toSkippedRewardMessage),
    };
    if (completing) completing.closing = create(SimulatedMission_ClosingSchema, closing);
  }
  return missions;
}

/** The simulated missions of a decision. Decisions about whole campaigns and routines give none: the answer is by mission. */
function simulated(
  catalog: ClientCatalog,
  decided: DecidedTrigger,
  decision: Decision,
  rewards: Rewards,
): SimulatedMission[] {
  if (!('missionId' in decision) || decision.kind === 'occurrenceCounted') return [];
  const { missionId } = decision;
  const mission = catalog.missions.get(missionId);
  const campaignId = mission?.campaignId ?? undefined;
  const campaignName = catalog.campaigns.get(campaignId ?? '')?.name;
  const about = { missionId, name: mission?.name ?? '', campaignId, campaignName };
  if (decision.kind === 'uncounted') {
    const unmet = unmetCondition(catalog, decision, decided);
    const words = uncountedReasons[decision.reason];
    const why = {
      reason: deprecatedReason(decision.reason),
      explanation: unmet === undefined ? words : `${words} ${unmet.toString()}.`,
    };
    return [create(SimulatedMissionSchema, { ...about, ...why, uncountedReason: Uncounted_Reason[decision.reason] })];
  }
  const explanation =
    decision.kind === 'completed' ? 'The event would complete the mission.' : 'The event would count.';
  const own = {
    rewards: rewards.earned.filter(({ of }) => of.missionId === missionId).map(({ reward }) => reward),
    skippedRewards: rewards.skipped.filter(({ order }) => order.missionId === missionId).map(toSkippedRewardMessage),
  };
  const progress = progressedMission(catalog, decision);
  return [create(SimulatedMissionSchema, { ...about, progress, explanation, ...own })];
}

import type { Account } from '../accounts/account.ts';
import {
  accountsWithoutAssignments,
  calendarOfAccount,
  hasVacations,
  loadAccountContexts,
} from '../campaigns/assignments/account-contexts.ts';
import { loadAssignments, saveAssignments } from '../campaigns/assignments/assignments.queries.ts';
import {
  assignmentsOnlyOf,
  moveAssignments,
  removeAssignments,
} from '../campaigns/assignments/merge-assignments.queries.ts';
import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { freezingPlans } from '../campaigns/freezes/freezes-of-accounts.ts';
import { withSettledFreezes } from '../campaigns/freezes/settle-freezes.ts';
import { NO_ATTRIBUTES } from '../attributes/attribute-values.ts';
import { campaignClosing } from '../engine/apply-event.ts';
import { assignmentId, type AssignmentState, type MergedProgress, NO_PERIOD } from '../engine/assignment.ts';
import { type CampaignPlan, isCampaignComplete } from '../engine/campaign-plan.ts';
import { isHeldBack } from '../engine/control-group.ts';
import type { Decision } from '../engine/decision.ts';
import type { GameEvent } from '../engine/game-event.ts';
import { renewFreezes } from '../engine/freezes/account-freezes.ts';
import { mergeAssignments, mergeOccurrences, type MergeRules, type PastOfPair } from '../engine/missions/merge.ts';
import { closeStreak } from '../engine/missions/streaks/merge-streaks.ts';
import type { MissionPlan } from '../engine/missions/mission-plan.ts';
import type { Milestone } from '../engine/missions/mission-rule.ts';
import { isCountOfPeriods, missionTypes } from '../engine/missions/mission-types.ts';
import type { Amount } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { giveRewards, type RenamedAssignment } from '../rewards/delivery/merge-rewards.queries.ts';
import { storeFreezes } from '../triggers/freezes-of-event.ts';
import { payDecisions } from '../triggers/pay-decisions.ts';

/** A mission, or a period of a ROUTINE, before and after a merge. */
export type CombinedMission = {
  readonly plan: MissionPlan;
  readonly mergedProgress: Amount;
  readonly previousProgress: Amount;
  readonly assignment: AssignmentState;
  readonly rounds: number;
  readonly milestones?: readonly Milestone[];
};

/** The way in which two accounts are merged. @property before the result of {@link runsBefore} */
type Merge = {
  readonly how: MergedProgress;
  readonly before: PastOfPair;
  readonly operationId: string;
  readonly now: Date;
};

/** Two accounts, of which the first becomes part of the second. */
type Pair = { readonly from: Account; readonly into: Account };

/**
 * The data on which the runs of two locked accounts depend, before any of it is joined. A run that a freeze bridges is bridged after the
 * merge, too, even if nobody has looked since: the use is stored now.
 */
export async function runsBefore(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  { from, into }: Pair,
  now: Date,
): Promise<PastOfPair> {
  if (freezingPlans(catalog).length === 0 && !hasVacations(catalog))
    return {
      from: { calendar: calendarOfAccount(catalog, from) },
      into: { calendar: calendarOfAccount(catalog, into) },
    };
  const [theirs, own] = await withSettledFreezes(uow, catalog, [from, into], now);
  return { from: theirs!, into: own! };
}

/**
 * Combines the progress of two locked accounts, gives the rewards of `from` to `into`, and pays what they reach together as an event would
 * pay it. All other rows belong to `into` already.
 */
export async function combineProgress(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  { from, into }: Pair,
  { how, before, operationId, now }: Merge,
) {
  const loaded = await loadAssignments(uow, catalog.rules, { accountIds: [from.id, into.id] });
  const [theirs, own] = [loaded.get(from.id)!, loaded.get(into.id)!];
  const calendar = calendarOfAccount(catalog, into);
  // The freezes and vacations of both belong to `into` already.
  const needsContext = freezingPlans(catalog).length > 0 || hasVacations(catalog);
  const contexts = needsContext && (await loadAccountContexts(uow, catalog, [into], {}, now));
  const known = contexts ? contexts.get(into.id) : undefined;
  const { freezes, vacations } = known ?? {};
  const rules = { how, accountId: into.id, calendar, freezes, vacations, before, now: now.getTime() };
  let combined = combineMissions(catalog, theirs, own, rules);
  if (known !== undefined && freezes !== undefined) {
    // Late events reach the last periods, so that the combined runs decide again which of them are bridged.
    const joined = { ...known, assignments: combined.after, freezes };
    renewFreezes(freezingPlans(catalog), joined, now.getTime());
    combined = combineMissions(catalog, theirs, own, rules);
  }
  const { after, missions, roundsBefore } = combined;
  for (const [key, state] of theirs) {
    const plan = catalog.rules.missions.get(state.missionId)!;
    if (!isCountOfPeriods(plan, state.periodKey)) continue;
    const completed = after
      .values()
      .filter((other) => other.missionId === plan.missionId && other.periodKey !== NO_PERIOD)
      .reduce((sum, { status }) => sum + Number(status === 'COMPLETED'), 0);
    after.set(key, mergeOccurrences(state, own.get(key), completed, rules)!);
  }
  const renamed = theirs
    .values()
    .map((state): RenamedAssignment => {
      const { id, missionId, periodKey } = state;
      return { from: id, to: assignmentId(missionId, into.id, periodKey), roundsBefore: roundsBefore.get(state) ?? 0 };
    })
    .toArray();
  await removeAssignments(uow, catalog.rules, from.id);
  await saveAssignments(uow, changedIn(after, own), now);
  // The ones that are left are of missions that are switched off or deleted.
  const left = await assignmentsOnlyOf(uow, from.id, into.id);
  const moved = await moveAssignments(uow, { from: from.id, into: into.id }, left);
  const all = [...renamed, ...moved.map(([id, to]) => ({ from: id, to, roundsBefore: 0 }))];
  await giveRewards(uow, { from: from.id, into: into.id }, all);

  const accounts = await accountsWithoutAssignments(uow, catalog, [into], {
    now,
    events: [{ accountId: into.id, at: now.getTime() }],
  });
  const context = { ...accounts.get(into.id)!, assignments: after, freezes };
  const item = (decisions: readonly Decision[], event: GameEvent) => {
    return { account: into, claim: operationId === '' ? undefined : { operationId }, context, decisions, event };
  };
  const paying = missions.filter(({ rounds, milestones = [] }) => rounds > 0 || milestones.length > 0);
  const closings = closedCampaigns(missions, after, { accountId: into.id, now: now.getTime() }).map(campaignClosing);
  const decided = [
    ...paying.map((mission) => item([decisionOf(mission)], eventOf(mission, now))),
    ...(closings.length === 0 ? [] : [item(closings, eventOf(missions[0]!, now))]),
  ];
  const rewarded = await payDecisions(uow, catalog, decided, now);
  const claim = operationId === '' ? undefined : { operationId };
  await storeFreezes(uow, catalog, [{ account: into, claim, context, decisions: paying.map(decisionOf) }], now);
  return {
    missions,
    renamed: all,
    outcomes: rewarded.flatMap(({ outcomes }) => outcomes),
    completedCampaignIds: rewarded.flatMap(({ completedCampaignIds }) => completedCampaignIds),
    hasPaid: paying.length > 0 || rewarded.some(({ completedCampaignIds }) => completedCampaignIds.length > 0),
  };
}

/** The missions of both accounts, but for the counts of periods, which follow from the periods. */
function combineMissions(
  catalog: ClientCatalog,
  theirs: ReadonlyMap<string, AssignmentState>,
  own: ReadonlyMap<string, AssignmentState>,
  rules: MergeRules & Pick<Merge, 'before'>,
) {
  const after = new Map(own);
  const missions: CombinedMission[] = [];
  const roundsBefore = new Map<AssignmentState, number>();
  const closed = (state: AssignmentState, account: PastOfPair['from']) => {
    const plan = catalog.rules.missions.get(state.missionId);
    return plan === undefined || !missionTypes[plan.type].usesFreezes
      ? state
      : closeStreak(plan, state, account, rules);
  };
  for (const [key, state] of own) after.set(key, closed(state, rules.before.into));
  for (const [key, state] of theirs) {
    const plan = catalog.rules.missions.get(state.missionId)!;
    if (isCountOfPeriods(plan, state.periodKey)) continue;
    const before = own.get(key);
    const only = before === undefined ? closed(state, rules.before.from) : state;
    const merged = mergeAssignments(plan, { from: only, into: before }, rules, missionTypes[plan.type].merge);
    after.set(key, merged.assignment);
    roundsBefore.set(state, merged.roundsBefore ?? 0);
    const [mergedProgress, previousProgress] = [state.progress, before?.progress ?? 0n];
    missions.push({ plan, mergedProgress, previousProgress, ...merged });
  }
  return { after, missions, roundsBefore };
}

function changedIn(after: ReadonlyMap<string, AssignmentState>, before: ReadonlyMap<string, AssignmentState>) {
  return after
    .entries()
    .filter(([key, state]) => before.get(key) !== state)
    .map(([, state]) => state)
    .toArray();
}

/**
 * The open campaigns of the combined missions that are complete now and do not hold the account back. A campaign that one of both had
 * completed is recorded already.
 */
function closedCampaigns(
  missions: readonly CombinedMission[],
  after: ReadonlyMap<string, AssignmentState>,
  { accountId, now }: { readonly accountId: string; readonly now: number },
): CampaignPlan[] {
  const campaigns = new Set(missions.flatMap(({ plan }) => plan.campaign ?? []));
  return [...campaigns].filter(
    (campaign) =>
      campaign.status === 'ACTIVE' &&
      campaign.opensAt <= now &&
      now < campaign.closesAt &&
      !isHeldBack(campaign, accountId) &&
      isCampaignComplete(campaign, after),
  );
}

function decisionOf({ plan, previousProgress, assignment, rounds, milestones = [] }: CombinedMission): Decision {
  const { missionId, rewardIds } = plan;
  const counted = { amount: 0n, period: undefined };
  const change = { missionId, previousProgress, assignment, counted, ...(milestones.length > 0 && { milestones }) };
  return rounds === 0 ? { kind: 'progressed', ...change } : { kind: 'completed', ...change, rounds, rewardIds };
}

/** The merge as an event for amounts by expression: it brings the progress of the merged account. */
function eventOf({ plan, mergedProgress }: CombinedMission, now: Date): GameEvent {
  const at = now.getTime();
  return {
    programmaticCode: plan.programmaticCode,
    attributes: NO_ATTRIBUTES,
    amount: mergedProgress,
    occurredAt: at,
    acceptedAt: at,
  };
}

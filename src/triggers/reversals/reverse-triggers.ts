import type { MessageInitShape } from '@bufbuild/protobuf';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import type { ReversedTriggerSchema } from '../../../gen/laurel/v1/trigger_pb.ts';
import { accountsToChange } from '../../accounts/accounts-of-batch.ts';
import {
  calendarOfAccount,
  hasVacations,
  loadAccountContexts,
  type LoadedAccount,
} from '../../campaigns/assignments/account-contexts.ts';
import { loadAssignments, saveAssignments } from '../../campaigns/assignments/assignments.queries.ts';
import type { ClientCatalog } from '../../campaigns/catalog/catalog.ts';
import {
  completionKey,
  type CompletionState,
  completionStates,
  type Pair,
  reopenCompletions,
} from '../../campaigns/completion/completions.queries.ts';
import { freezingPlans, usesToStore } from '../../campaigns/freezes/freezes-of-accounts.ts';
import { reviewAgain } from '../../campaigns/streak-risks/streak-risks.queries.ts';
import type { NewFreezeEntry } from '../../campaigns/freezes/freeze-entry.ts';
import { insertFreezeEntries } from '../../campaigns/freezes/streak-freezes.queries.ts';
import { freezesOfMilestone, renewFreezes } from '../../engine/freezes/account-freezes.ts';
import { assignmentKey, type AssignmentState, NO_PERIOD } from '../../engine/assignment.ts';
import type { MissionReversal } from '../../engine/missions/reverse.ts';
import type { BatchTimes } from '../../idempotency/call-batcher.ts';
import { type Amount, amountToNumber } from '../../kernel/amount.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { CLOCKS_APART } from '../../kernel/time/timestamp.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type LostRounds, reverseRewards } from '../../rewards/reversal/reverse-rewards.ts';
import { rankChanged } from '../../leaderboards/entries/rank-accounts.ts';
import { takeStatisticsBack } from '../../statistics/values/move-statistics.ts';
import { pastStatistics, reversedStatistics } from '../statistics-of-event.ts';
import type { DecidedReversal, DoneReversal, PlannedReversal } from './batch-reversal.ts';
import { withLostStatistics } from './lost-statistics.ts';
import { announceReversals } from './announce-reversals.ts';
import { findEvents, type FoundEvent } from './find-events.ts';
import { journalReversals, journalWithdrawn } from './journal-reversals.ts';
import type { Reversal } from './reversal.ts';
import { reversedTriggerMessage, withdrawnTriggerMessage } from './reversal-message.ts';
import {
  amountOfEvent,
  type CountedForMission,
  countedForMissions,
  isWholeLost,
  type PartOfEvent,
  periodKeysOf,
  type ReversedAccount,
  reverseEvent,
} from './reverse-event.ts';
import { reversedAmounts, saveReversedAmounts } from './reversed-amounts.queries.ts';

/** Everything that a reversal did. */
export type Answer = MessageInitShape<typeof ReversedTriggerSchema>;

/**
 * Takes events of one client back in one transaction. Reversals of different accounts run together; several of one account run one after
 * the other, because each changes what the next one finds.
 * @returns one answer or refusal for each, in order
 */
export async function reverseTriggers(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  reversals: readonly Reversal[],
  times: BatchTimes,
): Promise<Array<Answer | DomainError>> {
  return reverseFound(uow, catalog, reversals, await findEvents(uow, reversals), times);
}

/** The same for events that were found, or refused, in the order of the reversals. */
export async function reverseFound(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  reversals: readonly Reversal[],
  found: ReadonlyArray<FoundEvent | DomainError>,
  { now, lockWaitMs }: BatchTimes,
): Promise<Array<Answer | DomainError>> {
  const applied = found.flatMap((event, index) => ('applied' in event ? [{ index, event: event.applied }] : []));
  const accounts = await accountsToChange(
    uow,
    applied.map(({ event: { accountId } }) => ({ accountId, idType: Account_IdType.INTERNAL })),
    lockWaitMs,
  );
  const answers = new Map<number, Answer | DomainError>();
  const planned: PlannedReversal[] = [];
  for (const [position, { index, event }] of applied.entries()) {
    const account = accounts[position]!;
    const counted = account instanceof DomainError ? account : countedForMissions(catalog, event.details ?? {});
    if (account instanceof DomainError || counted instanceof DomainError) answers.set(index, counted as DomainError);
    else planned.push({ index, reversal: reversals[index]!, event, account, counted });
  }
  for (const group of groupsOf(planned)) {
    const { decided, refused } = await decide(uow, catalog, group, now);
    for (const [index, refusal] of refused) answers.set(index, refusal);
    for (const done of await write(uow, catalog, decided, now))
      answers.set(done.index, reversedTriggerMessage(catalog, done));
  }
  const withdrawn = found.flatMap((event, index) =>
    'withdrawn' in event ? [{ index, reversal: reversals[index]!, trigger: event.withdrawn }] : [],
  );
  for (const { index, trigger } of withdrawn) answers.set(index, withdrawnTriggerMessage(trigger));
  await journalWithdrawn(uow, withdrawn, now);
  return found.map((event, index) => (event instanceof DomainError ? event : answers.get(index)!));
}

/** The reversals in groups that follow each other. An account is once in a group. */
function groupsOf(planned: readonly PlannedReversal[]): PlannedReversal[][] {
  const groups: PlannedReversal[][] = [];
  const counts = new Map<string, number>();
  for (const each of planned) {
    const before = counts.get(each.account.id) ?? 0;
    counts.set(each.account.id, before + 1);
    (groups[before] ??= []).push(each);
  }
  return groups;
}

/** Decides the reversals of different accounts: their missions and campaigns. A reversal of more than is left is refused. */
async function decide(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  group: readonly PlannedReversal[],
  now: Date,
): Promise<{ readonly decided: DecidedReversal[]; readonly refused: ReadonlyMap<number, DomainError> }> {
  const [states, reversed, completions, past] = await Promise.all([
    statesOf(uow, catalog, group, now),
    reversedAmounts(
      uow,
      group.map(({ event }) => event.id),
    ),
    completionStates(uow, group.flatMap(campaignsOf)),
    pastStatistics(
      uow,
      catalog.statistics,
      group.map(({ event }) => event),
    ),
  ]);
  const refused = new Map<number, DomainError>();
  const decided = group.flatMap((planned, position): DecidedReversal[] => {
    const { index, reversal, event, account, counted } = planned;
    const before = amountOfEvent(event.details ?? {}) - (reversed.get(event.id) ?? 0n);
    const amount = reversal.amount ?? before;
    if (before === 0n || amount > before) {
      refused.set(index, tooLarge(before));
      return [];
    }
    const state = states.get(account.id)!;
    const part = { before, after: before - amount };
    const missions = reverseJudged(catalog, counted, state, part, now);
    const reopened = reopenedCampaigns(planned, missions, completions);
    const statistics = reversedStatistics(catalog.statistics, event, past.get(position) ?? [], part);
    const { freezes } = state;
    return [{ ...planned, amount, left: before - amount, missions, freezes, statistics, reopened }];
  });
  return { decided, refused };
}

/**
 * Takes a part of an event back. A freeze may bridge a period that is no longer kept, so the runs are judged again with the freezes of
 * afterwards.
 */
function reverseJudged(
  catalog: ClientCatalog,
  counted: readonly CountedForMission[],
  state: ReversedAccount | LoadedAccount,
  part: PartOfEvent,
  now: Date,
): MissionReversal[] {
  const before = new Map(state.assignments);
  const missions = reverseEvent(counted, state, part, now.getTime());
  if (!('audiences' in state) || state.freezes === undefined || missions.length === 0) return missions;
  renewFreezes(freezingPlans(catalog), state, now.getTime());
  for (const [key, assignment] of before) state.assignments.set(key, assignment);
  const judged = reverseEvent(counted, state, part, now.getTime());
  renewFreezes(freezingPlans(catalog), state, now.getTime());
  return judged;
}

/** The accounts with the assignments that the reversals change; also with their audiences, freezes and vacations, if the client has any. */
async function statesOf(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  group: readonly PlannedReversal[],
  now: Date,
): Promise<ReadonlyMap<string, ReversedAccount | LoadedAccount>> {
  const accounts = group.map(({ account }) => account);
  const selection = {
    missionsOf: new Map(group.map(({ account, counted }) => [account.id, counted.map(({ plan }) => plan.missionId)])),
    periodKeys: [NO_PERIOD, ...new Set(group.flatMap(({ counted }) => periodKeysOf(counted)))],
  };
  if (freezingPlans(catalog).length > 0 || hasVacations(catalog))
    return loadAccountContexts(uow, catalog, accounts, selection, now);
  const accountIds = accounts.map(({ id }) => id);
  const assignments = await loadAssignments(uow, catalog.rules, { accountIds, ...selection });
  return new Map(
    accounts.map((account) => [
      account.id,
      { assignments: assignments.get(account.id)!, calendar: calendarOfAccount(catalog, account) },
    ]),
  );
}

/** The campaigns of the missions that an event advanced. */
function campaignsOf({ account, counted }: PlannedReversal): Pair[] {
  const ids = new Set(counted.flatMap(({ plan }) => plan.campaign?.campaignId ?? []));
  return [...ids].map((campaignId) => ({ accountId: account.id, campaignId }));
}

/** The campaigns that are not complete any more. One that the account has claimed stays closed. */
function reopenedCampaigns(
  { account, counted }: PlannedReversal,
  missions: readonly MissionReversal[],
  completions: ReadonlyMap<string, CompletionState>,
): DecidedReversal['reopened'] {
  const lost = new Set(missions.filter(isWholeLost).map(({ assignment }) => assignment.missionId));
  const campaigns = new Set(counted.flatMap(({ plan }) => (lost.has(plan.missionId) ? (plan.campaign ?? []) : [])));
  return [...campaigns].flatMap(({ campaignId, claimPolicy }) => {
    const state = completions.get(completionKey({ accountId: account.id, campaignId }));
    if (state === undefined || (state === 'CLOSED' && claimPolicy === 'EXPLICIT')) return [];
    return [{ campaignId, wasClosed: state === 'CLOSED' }];
  });
}

/** Takes the rewards back and writes everything. */
async function write(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  decided: readonly DecidedReversal[],
  now: Date,
): Promise<DoneReversal[]> {
  if (decided.length === 0) return [];
  const { rewards: definitions } = catalog;
  const lost = decided.map(lostRounds);
  const rewards = await reverseRewards(uow, lost.flat(), definitions, now);
  let next = 0;
  const rewarded = decided.map((each, index): DoneReversal => {
    const own = rewards.slice(next, (next += lost[index]!.length)).flat();
    return { ...each, rewards: own };
  });
  const done = await withLostStatistics(uow, catalog.statistics, rewarded);
  await Promise.all([
    saveAssignments(uow, done.flatMap(lastStates), now),
    reopenCompletions(
      uow,
      done.flatMap(({ account, reopened }) =>
        reopened.map(({ campaignId }) => ({ accountId: account.id, campaignId })),
      ),
    ),
    saveReversedAmounts(
      uow,
      done.map(({ event, account, left }) => {
        return { entryId: event.id, accountId: account.id, amount: amountOfEvent(event.details ?? {}) - left };
      }),
      now,
    ),
    takeBack(uow, done, now),
    insertFreezeEntries(
      uow,
      done.flatMap((each) => changedFreezes(catalog, each, now)),
      now,
    ),
    // A period that was kept may be at risk again.
    catalog.streakSettings.atRiskHours !== undefined &&
      reviewAgain(
        uow,
        done.map(({ account }) => account.id),
        now,
      ),
    journalReversals(uow, done, now),
    announceReversals(uow, definitions, done),
  ]);
  return done;
}

/** Takes the effects on statistics back, and moves the leaderboards over them. */
async function takeBack(uow: UnitOfWork, done: readonly DoneReversal[], now: Date): Promise<void> {
  const taken = done.map(({ account, event, statistics, left }) => {
    return { accountId: account.id, effects: statistics, entryId: event.id, left };
  });
  await takeStatisticsBack(uow, taken);
  const changed = taken.flatMap(({ accountId, effects }) => effects.map((effect) => ({ ...effect, accountId })));
  await rankChanged(uow, changed, now);
}

/** The lines of freezes that are used otherwise now, and of those whose milestones are not reached any more. */
function changedFreezes(catalog: ClientCatalog, reversal: DecidedReversal, now: Date): NewFreezeEntry[] {
  const { account, freezes, missions, counted } = reversal;
  if (freezes === undefined) return [];
  let owned = freezes.present.owned;
  const lost = missions.flatMap(({ milestoneLeft = Infinity, assignment: { missionId } }) => {
    const { milestones = [] } = counted.find(({ plan }) => plan.missionId === missionId)?.plan ?? {};
    return milestones.flatMap(({ length }): NewFreezeEntry[] => {
      if (length <= milestoneLeft) return [];
      const taken = Math.min(owned, freezesOfMilestone(freezes.ledger, missionId, length));
      if (taken <= 0) return [];
      owned -= taken;
      const operationId = reversal.reversal.operationId || undefined;
      const about = { accountId: account.id, missionId, milestone: length, operationId };
      return [{ ...about, type: 'REVERSE', amount: -taken, at: now }];
    });
  });
  return [...usesToStore(catalog, account.id, freezes), ...lost];
}

/** The rounds and the campaigns whose rewards go. */
function lostRounds({ account, reversal, missions, reopened }: DecidedReversal): LostRounds[] {
  const common = { accountId: account.id, operationId: reversal.operationId || undefined };
  const ofMissions = missions.flatMap(({ roundsLost, roundsLeft, milestoneLeft, assignment }): LostRounds[] => {
    if (roundsLost === 0 && milestoneLeft === undefined) return [];
    return [{ ...common, assignmentId: assignment.id, since: firstRewardAt(assignment), roundsLeft, milestoneLeft }];
  });
  // A campaign closes after each of its missions has begun.
  const since = new Date(Math.min(...missions.map(({ assignment }) => firstRewardAt(assignment).getTime())));
  const ofCampaigns = reopened.flatMap(({ campaignId, wasClosed }) =>
    wasClosed ? [{ ...common, campaignId, since, roundsLeft: 0 }] : [],
  );
  return [...ofMissions, ...ofCampaigns];
}

/** A time before the first reward of an assignment: its first event occurred before it was applied. */
function firstRewardAt({ startedAt }: AssignmentState): Date {
  return new Date(startedAt - CLOCKS_APART);
}

/** The last state of each changed assignment. */
function lastStates({ missions }: DecidedReversal): AssignmentState[] {
  const states = new Map(
    missions.map(({ assignment }) => [assignmentKey(assignment.missionId, assignment.periodKey), assignment]),
  );
  return [...states.values()];
}

function tooLarge(left: Amount): DomainError {
  return new DomainError(
    'REVERSAL_TOO_LARGE',
    left === 0n
      ? 'Earlier reversals have taken the whole event back: nothing is left of it.'
      : sentence`${amountToNumber(left)} is left of the event. Send an \`amount\` of at most that, or leave it out for all that is left.`,
  );
}

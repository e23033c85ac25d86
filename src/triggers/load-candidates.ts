import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import {
  asOf,
  calendarOfAccount,
  type LoadedAccount,
  loadAccountContexts,
  accountsWithoutAssignments,
} from '../campaigns/assignments/account-contexts.ts';
import { refusalWithoutAssignments } from '../engine/admission.ts';
import { type Candidates, candidatesAt, missionIdsFor, periodKeysAt } from '../engine/catalog.ts';
import type { AccountWithoutAssignments, MissionPlan } from '../engine/missions/mission-plan.ts';
import { nearestCause, type UncountedCause } from '../journal/journal-row.ts';
import { inTimeSlices, type Steps } from '../kernel/concurrency/time-slices.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { ResolvedTrigger } from './batch-trigger.ts';

/** The missions that the events of a batch can advance, and the data that the rules need. */
export type LoadedCandidates = {
  /** The account as an event sees it; decisions may be written into its assignments, which its events share. */
  readonly accountFor: (item: ResolvedTrigger) => LoadedAccount;
  /** The missions to which an event is applied. */
  readonly plansOf: (item: ResolvedTrigger) => readonly MissionPlan[];
  /** The cause nearest to counting, among the missions of the code to which an event is not applied. */
  readonly causeOf: (item: ResolvedTrigger) => UncountedCause | undefined;
};

/**
 * Number of pairs of an event and a mission from which the audiences of the accounts are loaded first: one more round
 * trip, but fewer assignments to read.
 */
const MANY_PAIRS = 2_000;

/**
 * Reads the rows that the rules need to apply a batch of events at `now`: the accounts' audiences, and the assignments of missions that may
 * change or decide.
 */
export async function loadCandidates(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  resolved: readonly ResolvedTrigger[],
  now: Date,
): Promise<LoadedCandidates> {
  const candidates: CandidatesOf = new Map(
    resolved.map((item) => [item, candidatesAt(catalog.rules, item.event.programmaticCode, item.event.occurredAt)]),
  );
  const accounts = resolved.map(({ account }) => account);
  const periodKeys = periodKeysOf(catalog, candidates);
  const earliest = resolved.reduce((least, { event }) => Math.min(least, event.occurredAt), Infinity);
  const withoutAssignments = accountsWithoutAssignments(uow, catalog, accounts, {
    now,
    lateFrom: earliest < now.getTime() ? earliest : undefined,
    ...(catalog.readStatistics.length > 0 && {
      events: resolved.map(({ account, event }) => ({ accountId: account.id, at: event.occurredAt })),
    }),
  });
  const pairs = resolved.reduce((sum, item) => sum + candidates.get(item)!.plans.length, 0);
  const seen = <A extends AccountWithoutAssignments>(members: ReadonlyMap<string, A>, item: ResolvedTrigger): A => {
    const account = members.get(item.account.id)!;
    if (item.event.isBackfilled) return asOf(catalog, account, item.event.occurredAt);
    const isMoved = catalog.audiencesReadStatistics && account.statistics.hasMoved();
    return isMoved ? asOf(catalog, account, now.getTime()) : account;
  };
  // An event may move a statistic by which the next one of its account counts, so no mission is dropped beforehand.
  if (pairs < MANY_PAIRS || catalog.readStatistics.length > 0) {
    const missionsOf = missionsOfAccounts(candidates);
    const loaded = await loadAccountContexts(
      uow,
      catalog,
      accounts,
      { missionsOf, periodKeys },
      now,
      withoutAssignments,
    );
    return {
      accountFor: (item) => seen(loaded, item),
      plansOf: (item) => candidates.get(item)!.plans,
      causeOf: () => undefined,
    };
  }
  const members = await withoutAssignments;
  const { plans, causes } = await inTimeSlices(dropRefused(candidates, (item) => seen(members, item)));
  const missionsOf = await inTimeSlices(missionsByAccount(plans));
  const loaded = await loadAccountContexts(uow, catalog, accounts, { missionsOf, periodKeys }, now, members);
  return {
    accountFor: (item) => seen(loaded, item),
    plansOf: (item) => plans.get(item)!,
    causeOf: (item) => causes.get(item),
  };
}

/** The missions that each event of a batch may change. */
type CandidatesOf = ReadonlyMap<ResolvedTrigger, Candidates>;

/** The missions whose assignments are read, by account, each once. Events of one code share the list of the catalogue. */
function missionsOfAccounts(candidates: CandidatesOf): Map<string, readonly string[]> {
  const missionsOf = new Map<string, readonly string[]>();
  for (const [{ account }, { missionIds }] of candidates) {
    const known = missionsOf.get(account.id) ?? missionIds;
    missionsOf.set(account.id, known === missionIds ? known : [...new Set([...known, ...missionIds])]);
  }
  return missionsOf;
}

/** Drops missions that refuse their event for any history of the account, and keeps the cause nearest to counting. */
function* dropRefused(candidates: CandidatesOf, memberFor: (item: ResolvedTrigger) => AccountWithoutAssignments) {
  const plans = new Map<ResolvedTrigger, readonly MissionPlan[]>();
  const causes = new Map<ResolvedTrigger, UncountedCause>();
  for (const [item, own] of candidates) {
    const account = memberFor(item);
    const mayCount = (plan: MissionPlan) => {
      const reason = refusalWithoutAssignments(plan, account, item.event);
      if (reason === undefined) return true;
      causes.set(item, nearestCause(causes.get(item), { reason, missionId: plan.missionId }));
      return false;
    };
    plans.set(item, own.plans.filter(mayCount));
    yield;
  }
  return { plans, causes };
}

/** The missions whose assignments decide about the chosen missions, by account. */
function* missionsByAccount(
  chosen: ReadonlyMap<ResolvedTrigger, readonly MissionPlan[]>,
): Steps<Map<string, string[]>> {
  const plansOf = new Map<string, Set<MissionPlan>>();
  for (const [{ account }, some] of chosen) {
    const plans = plansOf.get(account.id) ?? new Set();
    for (const plan of some) plans.add(plan);
    plansOf.set(account.id, plans);
    yield;
  }
  const missionsOf = new Map<string, string[]>();
  for (const [id, plans] of plansOf) {
    missionsOf.set(id, missionIdsFor([...plans]));
    yield;
  }
  return missionsOf;
}

/** The period keys of routines at the times of the events. */
function periodKeysOf(catalog: ClientCatalog, candidates: CandidatesOf): string[] {
  const periodKeys = new Set<string>();
  for (const [{ account, event }, own] of candidates) {
    const keys = periodKeysAt(own, () => calendarOfAccount(catalog, account), event.occurredAt);
    for (const key of keys) periodKeys.add(key);
  }
  return [...periodKeys];
}

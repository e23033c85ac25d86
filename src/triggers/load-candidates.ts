import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import {
  calendarOfAccount,
  type LiveAccount,
  liveAccounts,
  type Membership,
  membershipsOf,
} from '../campaigns/feed/live-accounts.ts';
import { refusalWithoutHistory } from '../engine/admission.ts';
import { type Candidates, candidatesAt, missionIdsFor, periodKeysAt } from '../engine/catalog.ts';
import type { MissionPlan } from '../engine/missions/mission-plan.ts';
import { nearest, type Refusal } from '../journal/journal-row.ts';
import { inTimeSlices, type Steps } from '../kernel/concurrency/time-slices.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { ResolvedTrigger } from './batch-trigger.ts';

/** The missions that the events of a batch can advance, and the data that the rules need. */
export type LoadedCandidates = {
  /** By id; decisions may be entered into their assignments. */
  readonly accounts: ReadonlyMap<string, LiveAccount>;
  /** The missions that an event is applied to. */
  readonly plansOf: (item: ResolvedTrigger) => readonly MissionPlan[];
  /** Of the missions of its code that it is not applied to, the refusal that came nearest to counting. */
  readonly refusedOf: (item: ResolvedTrigger) => Refusal | undefined;
};

/**
 * Number of pairs of an event and a mission from which the audiences of the accounts are loaded first: one more round
 * trip, but fewer assignments to read.
 */
const MANY = 2_000;

/**
 * Reads the rows that a batch of events needs to be applied at `now`: the accounts' audiences and the assignments that may change
 * or matter.
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
  const memberships = membershipsOf(uow, catalog, accounts, earliest < now.getTime() ? earliest : undefined);
  const pairs = resolved.reduce((sum, item) => sum + candidates.get(item)!.plans.length, 0);
  if (pairs < MANY) {
    const missionsOf = missionsOfAccounts(candidates);
    return {
      accounts: await liveAccounts(uow, catalog, accounts, { missionsOf, periodKeys }, memberships),
      plansOf: (item) => candidates.get(item)!.plans,
      refusedOf: () => undefined,
    };
  }
  const members = await memberships;
  const { plans, refusals } = await inTimeSlices(withoutRefused(candidates, members));
  const missionsOf = await inTimeSlices(namedBy(plans));
  return {
    accounts: await liveAccounts(uow, catalog, accounts, { missionsOf, periodKeys }, members),
    plansOf: (item) => plans.get(item)!,
    refusedOf: (item) => refusals.get(item),
  };
}

/** The missions that each event of a batch may change. */
type CandidatesOf = ReadonlyMap<ResolvedTrigger, Candidates>;

/** The missions whose assignments are read, by account. */
function missionsOfAccounts(candidates: CandidatesOf): Map<string, Set<string>> {
  const missionsOf = new Map<string, Set<string>>();
  for (const [{ account }, { missionIds }] of candidates) {
    const known = missionsOf.get(account.id) ?? new Set();
    missionsOf.set(account.id, known);
    for (const id of missionIds) known.add(id);
  }
  return missionsOf;
}

/** The missions that do not refuse their event whatever the account has done, and for each event the refusal that came nearest to counting. */
function* withoutRefused(candidates: CandidatesOf, members: ReadonlyMap<string, Membership>) {
  const plans = new Map<ResolvedTrigger, readonly MissionPlan[]>();
  const refusals = new Map<ResolvedTrigger, Refusal>();
  for (const [item, own] of candidates) {
    const account = members.get(item.account.id)!;
    const mayMove = (plan: MissionPlan) => {
      const reason = refusalWithoutHistory(plan, account, item.event);
      if (reason === undefined) return true;
      refusals.set(item, nearest(refusals.get(item), { reason, missionId: plan.missionId }));
      return false;
    };
    plans.set(item, own.plans.filter(mayMove));
    yield;
  }
  return { plans, refusals };
}

/** The missions that decide about those chosen, by account. */
function* namedBy(chosen: ReadonlyMap<ResolvedTrigger, readonly MissionPlan[]>): Steps<Map<string, string[]>> {
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

/** Of routines only the periods in which the events fall. */
function periodKeysOf(catalog: ClientCatalog, candidates: CandidatesOf): string[] {
  const periodKeys = new Set<string>();
  for (const [{ account, event }, own] of candidates) {
    for (const key of periodKeysAt(own, calendarOfAccount(catalog, account), event.occurredAt)) periodKeys.add(key);
  }
  return [...periodKeys];
}

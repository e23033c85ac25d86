import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { calendarOfAccount, type LiveAccount, liveAccounts, membershipsOf } from '../campaigns/feed/live-accounts.ts';
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
 * Reads what a batch of events needs to be applied at `now`: the accounts' audiences and the assignments that may change or
 * matter.
 */
export async function loadCandidates(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  resolved: readonly ResolvedTrigger[],
  now: Date,
): Promise<LoadedCandidates> {
  const candidates = new Map(
    resolved.map((item) => [item, candidatesAt(catalog.rules, item.event.programmaticCode, item.event.occurredAt)]),
  );
  const plansOf = (item: ResolvedTrigger) => candidates.get(item)!.plans;
  const accounts = resolved.map(({ account }) => account);
  const pairs = resolved.reduce((sum, item) => sum + plansOf(item).length, 0);
  const periodKeys = periodKeysOf(catalog, candidates);
  const earliest = resolved.reduce((least, { event }) => Math.min(least, event.occurredAt), Infinity);
  const memberships = membershipsOf(uow, catalog, accounts, earliest < now.getTime() ? earliest : undefined);
  if (pairs < MANY) {
    const missionsOf = new Map<string, Set<string>>();
    for (const [{ account }, { missionIds }] of candidates) {
      const known = missionsOf.get(account.id) ?? new Set();
      missionsOf.set(account.id, known);
      for (const id of missionIds) known.add(id);
    }
    return {
      accounts: await liveAccounts(uow, catalog, accounts, { missionsOf, periodKeys }, memberships),
      plansOf,
      refusedOf: () => undefined,
    };
  }
  const refusals = new Map<ResolvedTrigger, Refusal>();
  const members = await memberships;
  const chosen = await inTimeSlices(choose());
  const missionsOf = await inTimeSlices(namedBy(chosen));
  const live = await liveAccounts(uow, catalog, accounts, { missionsOf, periodKeys }, members);
  return { accounts: live, plansOf: (item) => chosen.get(item)!, refusedOf: (item) => refusals.get(item) };

  function* choose(): Steps<Map<ResolvedTrigger, readonly MissionPlan[]>> {
    const chosenOf = new Map<ResolvedTrigger, readonly MissionPlan[]>();
    for (const item of resolved) {
      const account = members.get(item.account.id)!;
      const mayMove = (plan: MissionPlan) => {
        const reason = refusalWithoutHistory(plan, account, item.event);
        if (reason === undefined) return true;
        refusals.set(item, nearest(refusals.get(item), { reason, missionId: plan.missionId }));
        return false;
      };
      chosenOf.set(item, plansOf(item).filter(mayMove));
      yield;
    }
    return chosenOf;
  }
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
function periodKeysOf(catalog: ClientCatalog, candidates: ReadonlyMap<ResolvedTrigger, Candidates>): string[] {
  const periodKeys = new Set<string>();
  for (const [{ account, event }, own] of candidates) {
    for (const key of periodKeysAt(own, calendarOfAccount(catalog, account), event.occurredAt)) periodKeys.add(key);
  }
  return [...periodKeys];
}

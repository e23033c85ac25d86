import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import { type EmitTriggerResponse, EmitTriggerResponseSchema } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { resolveAccounts } from '../accounts/resolve-accounts.ts';
import { saveAssignments } from '../campaigns/assignments.queries.ts';
import type { Catalogs, ClientCatalog } from '../campaigns/catalog.ts';
import { type LiveAccount, liveAccounts } from '../campaigns/live-accounts.ts';
import { applyEvent, recordDecisions } from '../engine/apply-event.ts';
import { type AssignmentState, assignmentKey } from '../engine/assignment.ts';
import { periodKeysAt } from '../engine/catalog.ts';
import type { Decision } from '../engine/decision.ts';
import type { GameEvent } from '../engine/game-event.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Claim } from '../operations/claim.ts';
import { claimOperations, type FinishedOperation, storeOperations } from '../operations/operations.queries.ts';
import { refusalOf } from '../operations/once.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { countHappenings } from '../statistics/happenings.ts';
import type { Decided, Pending, Placed } from './decided.ts';
import { eventOf } from './event-of.ts';
import { rewardDecisions } from './reward-decisions.ts';
import { claimOf } from './trigger-claim.ts';
import { triggerResponse } from './trigger-response.ts';

/** The answer to one trigger, and whether it is the stored one of an earlier call. */
export type TriggerOutcome = { readonly response: EmitTriggerResponse; readonly replayed: boolean };

/**
 * Applies a batch of one client's triggers, in order of arrival, in one transaction: claims operation ids, resolves and
 * locks accounts, loads what the rules need, decides event by event, delivers rewards, and writes everything with the
 * stored answers. The number of statements does not grow with the batch.
 * @param acceptedAt when each was accepted, if that was earlier: the moment by which its `occurredAt` is judged
 * @returns one outcome per trigger, in order; a trigger at fault gets its own error and does not fail its neighbours
 */
export async function runTriggers(
  uow: UnitOfWork,
  catalogs: Catalogs,
  triggers: readonly Trigger[],
  now: Date,
  acceptedAt: readonly Date[] = [],
): Promise<Array<TriggerOutcome | DomainError>> {
  const outcomes = new Array<TriggerOutcome | DomainError>(triggers.length);
  const claims = triggers.map(claimOf);
  const [catalog, shared] = await Promise.all([catalogs(uow), settleRepeats(uow, claims, outcomes)]);
  const judgedAt = (place: number) => acceptedAt[place] ?? now;
  const pending = readEvents(triggers, claims, catalog, judgedAt, outcomes);
  const placed = await placeEvents(uow, pending, now, outcomes);
  const decided = await decide(uow, catalog, placed, now);
  const deliveries = await rewardDecisions(uow, catalog, decided, now);
  const responses = decided.map((item, index) =>
    create(EmitTriggerResponseSchema, triggerResponse(catalog, item.decisions, deliveries[index]!)),
  );
  await Promise.all([
    saveAssignments(uow, lastStates(decided), now),
    storeOperations(
      uow,
      decided.flatMap((item, index) => finished(item, responses[index]!, shared)),
      now,
    ),
  ]);
  countHappenings(uow, {
    eventsApplied: decided.length,
    missionsCompleted: decided.flatMap(({ decisions }) => decisions).filter(({ kind }) => kind === 'completed').length,
  });
  decided.forEach(({ place }, index) => (outcomes[place] = { response: responses[index]!, replayed: false }));
  return outcomes;
}

/** Answers the triggers whose operation id is done, under way or misused. Gives whether the ids of others are shared. */
async function settleRepeats(
  uow: UnitOfWork,
  claims: readonly (Claim | undefined)[],
  outcomes: Array<TriggerOutcome | DomainError>,
): Promise<boolean> {
  const claimed = claims.flatMap((claim, place) => (claim ? [{ claim, place }] : []));
  const results = await claimOperations(
    uow,
    claimed.map(({ claim }) => claim),
  );
  results.forEach((result, index) => {
    const { claim, place } = claimed[index]!;
    const settled =
      result.state === 'done'
        ? { response: fromBinary(EmitTriggerResponseSchema, result.response), replayed: true }
        : refusalOf(result, claim.operationId);
    if (settled) outcomes[place] = settled;
  });
  return results.some((result) => result.state === 'free' && result.shared);
}

function readEvents(
  triggers: readonly Trigger[],
  claims: readonly (Claim | undefined)[],
  catalog: ClientCatalog,
  judgedAt: (place: number) => Date,
  outcomes: Array<TriggerOutcome | DomainError>,
): Pending[] {
  const pending: Pending[] = [];
  triggers.forEach((trigger, place) => {
    if (outcomes[place]) return;
    try {
      pending.push({ place, trigger, claim: claims[place], event: eventOf(trigger, catalog, judgedAt(place)) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      outcomes[place] = error;
    }
  });
  return pending;
}

async function placeEvents(
  uow: UnitOfWork,
  pending: readonly Pending[],
  now: Date,
  outcomes: Array<TriggerOutcome | DomainError>,
): Promise<Placed[]> {
  if (pending.length === 0) return [];
  const refs = pending.map(({ trigger }) => ({ accountId: trigger.accountId, idType: trigger.idType }));
  const accounts = await resolveAccounts(uow, refs, { now });
  return pending.flatMap((item, index) => {
    const account = accounts[index]!;
    if (!(account instanceof DomainError)) return [{ ...item, account }];
    outcomes[item.place] = account;
    return [];
  });
}

/** Event by event, so that each builds on what the ones before it did to the same account. */
async function decide(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  placed: readonly Placed[],
  now: Date,
): Promise<Decided[]> {
  if (placed.length === 0) return [];
  const live = await liveAccounts(
    uow,
    catalog,
    placed.map(({ account }) => account),
    assignmentsNeeded(catalog, placed),
  );
  return placed.map((item) => {
    const account = live.get(item.account.id)!;
    return { ...item, decisions: decisionsOf(catalog, account, item.event, now) };
  });
}

function decisionsOf(catalog: ClientCatalog, account: LiveAccount, event: GameEvent, now: Date): Decision[] {
  const candidates = catalog.rules.byCode.get(event.programmaticCode);
  if (!candidates) return [];
  const decisions = applyEvent(candidates.plans, account, event, now.getTime());
  recordDecisions(account.assignments, decisions);
  return decisions;
}

/** Only missions that the batch's codes can move, and of their routines only the periods in which its events fall. */
function assignmentsNeeded(catalog: ClientCatalog, placed: readonly Placed[]) {
  const missionIds = new Set<string>();
  const periodKeys = new Set<string>();
  for (const { account, event } of placed) {
    const candidates = catalog.rules.byCode.get(event.programmaticCode);
    if (!candidates) continue;
    for (const id of candidates.missionIds) missionIds.add(id);
    for (const key of periodKeysAt(candidates, account.timeZone ?? catalog.timeZone, event.occurredAt))
      periodKeys.add(key);
  }
  return { missionIds: [...missionIds], periodKeys: [...periodKeys] };
}

/** Of several states of one assignment in a batch, the last. */
function lastStates(decided: readonly Decided[]): AssignmentState[] {
  const states = new Map<string, AssignmentState>();
  for (const { account, decisions } of decided) {
    for (const decision of decisions) {
      if (!('assignment' in decision)) continue;
      const { missionId, periodKey } = decision.assignment;
      states.set(`${account.id} ${assignmentKey(missionId, periodKey)}`, decision.assignment);
    }
  }
  return [...states.values()];
}

function finished({ claim }: Decided, response: EmitTriggerResponse, shared: boolean): FinishedOperation[] {
  return claim ? [{ ...claim, shared, response: toBinary(EmitTriggerResponseSchema, response) }] : [];
}

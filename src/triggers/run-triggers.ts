import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import { type EmitTriggerResponse, EmitTriggerResponseSchema } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { resolveAccounts } from '../accounts/resolve-accounts.ts';
import { saveAssignments } from '../campaigns/assignments/assignments.queries.ts';
import type { Catalogs, ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { applyEvent, applySteps, recordDecisions } from '../engine/apply-event.ts';
import type { AssignmentState } from '../engine/assignment.ts';
import { type Journaling, writeJournal } from '../journal/journal.queries.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { binarySteps } from '../kernel/long-messages.ts';
import { inSlices, type Steps } from '../kernel/slices.ts';
import type { Claim } from '../idempotency/claim.ts';
import {
  anyIsSecond,
  claimOperations,
  type FinishedOperation,
  storeOperations,
} from '../idempotency/operations.queries.ts';
import { refusalOf } from '../idempotency/once.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { Delivery } from '../rewards/delivery/delivery.ts';
import { countActivity } from '../statistics/activity-counts.ts';
import { announceCompletions } from './announce-completions.ts';
import type { DecidedTrigger, ParsedTrigger, ResolvedTrigger } from './decided-trigger.ts';
import { eventOf } from './event-of.ts';
import { journalRows } from './journal-rows.ts';
import { loadCandidates } from './load-candidates.ts';
import { rewardDecisions } from './reward-decisions.ts';
import { claimOf } from './trigger-claim.ts';
import { longTriggerResponse, triggerResponse } from './trigger-response.ts';
import { triggersThatFit } from './triggers-that-fit.ts';

/**
 * Milliseconds that events which nobody waits for wait for an account that somebody else holds: an ordinary unit of work is
 * over by then, and the events of other accounts are not held up for longer.
 */
const HOLD_WAIT_MS = 100;

/** The answer to one trigger, and whether it is the stored one of an earlier call. */
export type TriggerOutcome = { readonly response: EmitTriggerResponse; readonly replayed: boolean };

/** How a batch is applied. */
export type RunTriggersOptions = {
  /**
   * When each was accepted, if that was earlier: the moment by which its `occurredAt` is judged. Nobody waits for the answers
   * then, and those that need not be stored are empty; and the events of an account that somebody else holds get an error of
   * the kind `inProgress` instead of holding up the others.
   */
  readonly acceptedAt?: readonly Date[];
  /** How the journal tells what became of them; false where it does not. */
  readonly journal?: Journaling | false | undefined;
};

/**
 * Applies a batch of one client's triggers, in order of arrival, in one transaction: claims operation ids, resolves and
 * locks accounts, loads what the rules need, decides event by event, delivers rewards, and writes everything with the
 * stored answers. The number of statements does not grow with the batch. What grows with the missions that count the
 * events is done in slices of time, so that it holds nobody else up.
 * @returns one outcome per trigger, in order, of as many as one batch should apply, at least one: those that are left off
 * go into another batch. A trigger at fault gets its own error and does not fail its neighbours
 */
export async function runTriggers(
  uow: UnitOfWork,
  catalogs: Catalogs,
  given: readonly Trigger[],
  now: Date,
  { acceptedAt, journal = 'byOperation' }: RunTriggersOptions = {},
): Promise<Array<TriggerOutcome | DomainError>> {
  // By the catalogue of the last batch, so that the first statements need not wait for the present one.
  const likely = given.slice(0, triggersThatFit(catalogs.lastKnown(uow.clientId) ?? (await catalogs(uow)), given, now));
  const likelyClaims = likely.map(claimOf);
  const settled = new Array<TriggerOutcome | DomainError>(likely.length);
  const [catalog, shared] = await Promise.all([catalogs(uow), settleRepeats(uow, likelyClaims, settled)]);
  const triggers = likely.slice(0, triggersThatFit(catalog, likely, now));
  const [claims, outcomes] = [likelyClaims.slice(0, triggers.length), settled.slice(0, triggers.length)];
  const judgedAt = (place: number) => acceptedAt?.[place] ?? now;
  const parsed = parseTriggers(triggers, claims, catalog, judgedAt, outcomes);
  const holdWaitMs = acceptedAt === undefined ? undefined : HOLD_WAIT_MS;
  const resolved = await resolveTriggers(uow, parsed, { now, holdWaitMs }, outcomes);
  const decided = await decide(uow, catalog, resolved, now);
  const rewarded = await rewardDecisions(uow, catalog, decided, now);
  const { deliveries } = rewarded;
  const isAnswered = ({ claim }: DecidedTrigger) => acceptedAt === undefined || claim !== undefined;
  const responses = await inSlices(responsesTo(catalog, decided, deliveries, isAnswered));
  const finished = await inSlices(finishedOperations(decided, responses, shared));
  const entries = journal ? await inSlices(journalRows(catalog, decided, rewarded)) : [];
  await Promise.all([
    saveAssignments(uow, await inSlices(lastStates(decided)), now),
    writeJournal(uow, entries, journal && !anyIsSecond(finished) ? journal : 'byHash'),
    storeOperations(uow, finished, now),
    announceCompletions(uow, catalog, decided),
  ]);
  countActivity(uow, {
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
  await inSlices(settleSteps());
  return results.some((result) => result.state === 'free' && result.shared);

  function* settleSteps(): Steps<void> {
    for (const [index, result] of results.entries()) {
      const { claim, place } = claimed[index]!;
      const settled =
        result.state === 'done'
          ? { response: fromBinary(EmitTriggerResponseSchema, result.response), replayed: true }
          : refusalOf(result, claim.operationId);
      if (settled) outcomes[place] = settled;
      if (result.state === 'done') yield;
    }
  }
}

function parseTriggers(
  triggers: readonly Trigger[],
  claims: readonly (Claim | undefined)[],
  catalog: ClientCatalog,
  judgedAt: (place: number) => Date,
  outcomes: Array<TriggerOutcome | DomainError>,
): ParsedTrigger[] {
  const parsed: ParsedTrigger[] = [];
  triggers.forEach((trigger, place) => {
    if (outcomes[place]) return;
    try {
      parsed.push({ place, trigger, claim: claims[place], event: eventOf(trigger, catalog, judgedAt(place)) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      outcomes[place] = error;
    }
  });
  return parsed;
}

async function resolveTriggers(
  uow: UnitOfWork,
  parsed: readonly ParsedTrigger[],
  how: { readonly now: Date; readonly holdWaitMs: number | undefined },
  outcomes: Array<TriggerOutcome | DomainError>,
): Promise<ResolvedTrigger[]> {
  if (parsed.length === 0) return [];
  const refs = parsed.map(({ trigger }) => ({ accountId: trigger.accountId, idType: trigger.idType }));
  const accounts = await resolveAccounts(uow, refs, how);
  return parsed.flatMap((item, index) => {
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
  resolved: readonly ResolvedTrigger[],
  now: Date,
): Promise<DecidedTrigger[]> {
  if (resolved.length === 0) return [];
  const { accounts, plansOf, refusedOf } = await loadCandidates(uow, catalog, resolved, now);
  return inSlices(decideSteps());

  function* decideSteps(): Steps<DecidedTrigger[]> {
    const decided: DecidedTrigger[] = [];
    let work = 0;
    for (const item of resolved) {
      const account = accounts.get(item.account.id)!;
      const plans = plansOf(item);
      const applying = [plans, account, item.event, now.getTime()] as const;
      const decisions = plans.length > STEP ? yield* applySteps(...applying) : applyEvent(...applying);
      recordDecisions(account.assignments, decisions);
      decided.push({ ...item, decisions, refused: refusedOf(item) });
      if ((work += plans.length) < STEP) continue;
      work = 0;
      yield;
    }
    return decided;
  }
}

/** Decisions that are worked on in one step: more than most batches have for an event, because a look at the clock costs too. */
const STEP = 50;

/** The answer to each event; an empty one where `isAnswered` says that nobody wants it. */
function* responsesTo(
  catalog: ClientCatalog,
  decided: readonly DecidedTrigger[],
  deliveries: readonly (readonly Delivery[])[],
  isAnswered: (item: DecidedTrigger) => boolean,
): Steps<EmitTriggerResponse[]> {
  const responses: EmitTriggerResponse[] = [];
  let work = 0;
  for (const [index, item] of decided.entries()) {
    const { decisions } = item;
    if (!isAnswered(item)) responses.push(create(EmitTriggerResponseSchema));
    else if (decisions.length > STEP)
      responses.push(yield* longTriggerResponse(catalog, decisions, deliveries[index]!));
    else responses.push(triggerResponse(catalog, decisions, deliveries[index]!));
    if ((work += decisions.length) < STEP) continue;
    work = 0;
    yield;
  }
  return responses;
}

/** Of several states of one assignment in a batch, the last. */
function* lastStates(decided: readonly DecidedTrigger[]): Steps<AssignmentState[]> {
  const states = new Map<string, AssignmentState>();
  for (const { decisions } of decided) {
    for (const decision of decisions)
      if ('assignment' in decision) states.set(decision.assignment.id, decision.assignment);
    if (decisions.length > STEP) yield;
  }
  return [...states.values()];
}

function* finishedOperations(
  decided: readonly DecidedTrigger[],
  responses: readonly EmitTriggerResponse[],
  shared: boolean,
): Steps<FinishedOperation[]> {
  const finished: FinishedOperation[] = [];
  for (const [index, { claim, account }] of decided.entries()) {
    if (!claim) continue;
    const response = responses[index]!;
    const isLong = response.progressedMissions.length > STEP;
    const binary = isLong ? yield* binarySteps(EmitTriggerResponseSchema, response) : undefined;
    finished.push({
      ...{ ...claim, shared, accountId: account.id },
      response: binary ?? toBinary(EmitTriggerResponseSchema, response),
    });
  }
  return finished;
}

import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import { type EmitTriggerResponse, EmitTriggerResponseSchema } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { suspension } from '../accounts/accounts-of-batch.ts';
import { resolveAccounts } from '../accounts/resolving/resolve-accounts.ts';
import { saveAssignments } from '../campaigns/assignments/assignments.queries.ts';
import type { Catalogs, ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { applyEvent, applyInSteps, recordDecisions } from '../engine/apply-event.ts';
import type { LoadedAccount } from '../campaigns/assignments/account-contexts.ts';
import type { AssignmentState } from '../engine/assignment.ts';
import { type Journaling, newEntryIds, writeJournal } from '../journal/journal.queries.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { binarySteps } from '../kernel/long-messages.ts';
import { inTimeSlices, type Steps } from '../kernel/concurrency/time-slices.ts';
import {
  anyIsSecondUse,
  claimOperations,
  type FinishedOperation,
  storeOperations,
} from '../idempotency/operations.queries.ts';
import { refusalOf } from '../idempotency/once.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { freezingPlans } from '../campaigns/freezes/freezes-of-accounts.ts';
import { renewFreezes } from '../engine/freezes/account-freezes.ts';
import { copyOfLevels, decideLevels } from '../engine/levels/account-levels.ts';
import type { StatisticEffect } from '../engine/statistics/statistic-value.ts';
import { missionEffects, statisticEffects } from '../engine/statistics/statistic-plan.ts';
import { countActivity } from '../activity/activity-counts.ts';
import { type BackfillEffect, effectOfBackfill } from './backfill/backfill-effect.ts';
import type { Backfill } from './backfill/backfill.ts';
import { announceCompletions } from './announce-completions.ts';
import type {
  AnsweredTrigger,
  ArrivedTrigger,
  ClaimedTrigger,
  DecidedTrigger,
  ParsedTrigger,
  ResolvedTrigger,
  RewardedTrigger,
} from './batch-trigger.ts';
import { eventOf, type Arrival } from './event-of.ts';
import { storeFreezes } from './freezes-of-event.ts';
import { journalRows } from './journal-rows.ts';
import { isOfEvents, storeLevels } from './levels-of-event.ts';
import { loadCandidates } from './load-candidates.ts';
import { storeStreakReviews } from './streaks-of-event.ts';
import { storeStatistics } from './statistics-of-event.ts';
import { countPoints } from './points-of-event.ts';
import { roundsCompleted } from './pay-decisions.ts';
import { rewardDecisions } from './reward-decisions.ts';
import { holdSuspended } from './suspended/hold-suspended.ts';
import { claimOfTrigger } from './trigger-claim.ts';
import { progressedInSteps, progressedMissions, triggerResponse } from './trigger-response.ts';
import { batchSizeFor } from './batch-size.ts';

/**
 * Milliseconds that asynchronous events wait for a locked account: long enough for an ordinary unit of work, short
 * enough for the events of other accounts.
 */
const LOCK_WAIT_MS = 100;

/** Decisions in one step: more than most events have, because each step reads the clock and makes two generators (0.5 KB of garbage). */
const DECISIONS_PER_STEP = 50;

/** The answer to one trigger, and whether it is the stored answer of an earlier call. */
export type TriggerOutcome = {
  readonly response: EmitTriggerResponse;
  readonly replayed: boolean;
  /** The effect of a backfilled event; undefined for other events, and for replayed ones. */
  readonly backfilled?: BackfillEffect;
};

/** The options of a batch. */
export type RunTriggersOptions = {
  /**
   * The times of acceptance of asynchronous events; `occurredAt` is checked against them. No caller waits for the
   * answers, so answers that need not be stored are empty. Events of a locked account get an error of the kind
   * `inProgress`, so that they do not delay the others.
   */
  readonly acceptedAt?: readonly Date[];
  /** The way in which the journal records events; false without a journal. */
  readonly journal?: Journaling | false | undefined;
  /** Set if the events are backfilled. The caller passes them in the order of `occurredAt`. */
  readonly backfill?: Backfill | undefined;
};

/** A trigger with its outcome: later steps skip it. */
class Finished {
  readonly outcome: TriggerOutcome | DomainError;

  constructor(outcome: TriggerOutcome | DomainError) {
    this.outcome = outcome;
  }
}

/** The result of a step for a trigger: the input of the next step, or the outcome. */
type Step<Next> = Next | Finished;

/**
 * Applies a batch of one client's triggers, in order of arrival, in one transaction. It claims operation ids, resolves and locks accounts,
 * and sets events of suspended accounts aside. It loads the data for the rules, decides event by event, delivers rewards, and moves the
 * statistics of their points. Then it writes everything with the stored answers. The number of statements does not grow with the batch.
 * Computations that grow with the missions run in time slices, so that they do not delay other callers.
 *
 * One list of triggers passes from step to step, in their order. Each step adds to the triggers without an outcome; the others keep their
 * outcome.
 * @returns one outcome for each of the first triggers, in order, at least one. Their number is that of `batchSizeFor`, or less if one account
 * has two events and an expression reads its points. The caller sends the others in another batch. A faulty trigger gets its own error and
 * does not fail its neighbours
 */
export async function runTriggers(
  uow: UnitOfWork,
  catalogs: Catalogs,
  triggers: readonly Trigger[],
  now: Date,
  { acceptedAt, journal = 'byOperation', backfill }: RunTriggersOptions = {},
): Promise<Array<TriggerOutcome | DomainError>> {
  // Uses the catalogue of the last batch, so that the first statements need not wait for the current one.
  const firstCut = triggers.slice(
    0,
    batchSizeFor(catalogs.lastKnown(uow.clientId) ?? (await catalogs(uow)), triggers, now),
  );
  const arrived = firstCut.map((trigger, index): ArrivedTrigger => {
    return { trigger, claim: claimOfTrigger(trigger), acceptedAt: acceptedAt?.[index] ?? now };
  });
  const [catalog, claimed] = await Promise.all([catalogs(uow), claim(uow, arrived)]);
  const lockWaitMs = acceptedAt === undefined ? undefined : LOCK_WAIT_MS;
  const needsAnswer = ({ claim }: ArrivedTrigger) => acceptedAt === undefined || claim !== undefined;

  const batch = claimed.slice(0, batchSizeFor(catalog, firstCut, now));
  const arrival = { wasAccepted: acceptedAt !== undefined, backfillDaysMax: backfill?.daysMax };
  const parsed = await runStep(batch, (items) => items.map((item) => parse(item, catalog, arrival)));
  const withAccounts = await runStep(parsed, (items) => resolve(uow, items, { now, lockWaitMs }));
  const resolved = catalog.readsPoints ? beforeRepeat(withAccounts) : withAccounts;
  const ofSuspended = resolved.filter(isPending).filter(({ account }) => account.suspendedAt !== undefined);
  const active = ofSuspended.length === 0 ? resolved : resolved.map((item) => withoutSuspended(item, backfill));
  // A backfilled event is refused: the queue, which takes the events of a resumed account, does not know how to backfill.
  const suspended = backfill ? [] : ofSuspended;
  const decided = await runStep(active, (items) => decide(uow, catalog, items, now));
  const delivered = await runStep(decided, (items) => rewardDecisions(uow, catalog, items, now, backfill?.rewards));
  const rewarded = await runStep(delivered, (items) => countPoints(uow, catalog, items, now, backfill?.rewards));
  const answered = await runStep(rewarded, (items) => inTimeSlices(answer(catalog, items, needsAnswer)));
  const entryIds = await write(uow, catalog, { answered: answered.filter(isPending), suspended }, journal, now);
  return answered.map((item) => {
    if (!isPending(item)) return item.outcome;
    const outcome = { response: item.response, replayed: false };
    return backfill ? { ...outcome, backfilled: effectOfBackfill(catalog, item, entryIds.shift()) } : outcome;
  });
}

/**
 * The triggers before the second one of an account. Points are earned after all decisions of a batch, so an expression that reads them would
 * miss those of an event of the same batch.
 */
function beforeRepeat(items: readonly Step<ResolvedTrigger>[]): readonly Step<ResolvedTrigger>[] {
  const seen = new Set<string>();
  const repeated = items.findIndex((item) => isPending(item) && seen.size === seen.add(item.account.id).size);
  return repeated === -1 ? items : items.slice(0, repeated);
}

function isPending<Pending extends object>(item: Step<Pending>): item is Pending {
  return !(item instanceof Finished);
}

/** Runs a step for all triggers without an outcome. */
async function runStep<From extends object, To>(
  items: readonly Step<From>[],
  step: (pending: readonly From[]) => Promise<readonly Step<To>[]> | readonly Step<To>[],
): Promise<Step<To>[]> {
  const pending = items.filter(isPending);
  const done = pending.length === 0 ? [] : await step(pending);
  let next = 0;
  return items.map((item) => (isPending(item) ? done[next++]! : item));
}

/** Sets the outcome of triggers whose operation id is done, in progress or reused. */
async function claim(uow: UnitOfWork, arrived: readonly ArrivedTrigger[]): Promise<Step<ClaimedTrigger>[]> {
  const results = await claimOperations(
    uow,
    arrived.flatMap(({ claim: own }) => own ?? []),
  );
  return inTimeSlices(settle());

  function* settle(): Steps<Step<ClaimedTrigger>[]> {
    const steps: Step<ClaimedTrigger>[] = [];
    let next = 0;
    for (const item of arrived) {
      const result = item.claim && results[next++]!;
      if (result?.state === 'done') {
        const response = fromBinary(EmitTriggerResponseSchema, result.response);
        steps.push(new Finished({ response, replayed: true }));
        yield;
        continue;
      }
      const refusal = result && refusalOf(result, item.claim.operationId);
      steps.push(
        refusal
          ? new Finished(refusal)
          : { ...item, mayBeSecondUse: result?.state === 'free' && result.mayBeSecondUse },
      );
    }
    return steps;
  }
}

function parse(item: ClaimedTrigger, catalog: ClientCatalog, arrival: Arrival): Step<ParsedTrigger> {
  try {
    return { ...item, event: eventOf(item.trigger, catalog, item.acceptedAt, arrival) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return new Finished(error);
  }
}

async function resolve(
  uow: UnitOfWork,
  parsed: readonly ParsedTrigger[],
  options: { readonly now: Date; readonly lockWaitMs: number | undefined },
): Promise<Step<ResolvedTrigger>[]> {
  const refs = parsed.map(({ trigger }) => ({ accountId: trigger.accountId, idType: trigger.idType }));
  const accounts = await resolveAccounts(uow, refs, options);
  return parsed.map((item, index) => {
    const account = accounts[index]!;
    return account instanceof DomainError ? new Finished(account) : { ...item, account };
  });
}

/** Answers an event of a suspended account, which waits until the account is resumed. A backfilled event is refused. */
function withoutSuspended(item: Step<ResolvedTrigger>, backfill: Backfill | undefined): Step<ResolvedTrigger> {
  const refusal = isPending(item) ? suspension(item.account) : undefined;
  if (refusal === undefined) return item;
  if (backfill) return new Finished(refusal);
  return new Finished({ response: create(EmitTriggerResponseSchema), replayed: false });
}

/** Applies event by event: each sees the effects of earlier events on the same account. */
async function decide(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  resolved: readonly ResolvedTrigger[],
  now: Date,
): Promise<DecidedTrigger[]> {
  const { byEventCode, ofMissions } = catalog.statistics;
  const { readsPoints } = catalog;
  const streaks = freezingPlans(catalog);
  const { accountFor, plansOf, causeOf } = await loadCandidates(uow, catalog, resolved, now);
  return inTimeSlices(decideSteps());

  function* decideSteps(): Steps<DecidedTrigger[]> {
    const decided: DecidedTrigger[] = [];
    let work = 0;
    for (const item of resolved) {
      const account = accountFor(item);
      const plans = plansOf(item);
      const decisions =
        plans.length > DECISIONS_PER_STEP
          ? yield* applyInSteps(plans, account, item.event, now.getTime())
          : applyEvent(plans, account, item.event, now.getTime());
      const counted = byEventCode.get(item.event.programmaticCode);
      const ofEvent = counted && statisticEffects(counted, account, item.event);
      const completed = missionEffects(ofMissions, decisions, item.event.occurredAt);
      const statistics = completed.length === 0 ? ofEvent : [...(ofEvent ?? []), ...completed];
      const context = contextBefore(account, statistics, readsPoints);
      if (statistics !== undefined) account.statistics.record(statistics);
      const levels = decideLevels(account, context.statistics, isOfEvents);
      recordDecisions(account.assignments, decisions);
      renewFreezes(streaks, account, now.getTime());
      decided.push({ ...item, context, after: account, decisions, statistics, levels, refused: causeOf(item) });
      if ((work += plans.length) < DECISIONS_PER_STEP) continue;
      work = 0;
      yield;
    }
    return decided;
  }
}

/** The account for the rewards of an event, which see its statistics and levels as the event saw them. */
function contextBefore(
  account: LoadedAccount,
  statistics: readonly StatisticEffect[] | undefined,
  readsPoints: boolean,
): LoadedAccount {
  const levels = copyOfLevels(account.levels);
  if (statistics === undefined && !readsPoints) return levels === account.levels ? account : { ...account, levels };
  return { ...account, levels, statistics: account.statistics.copy() };
}

/** Adds the answer to each event, an empty one if nobody waits for it and no operation id stores it. */
function* answer(
  catalog: ClientCatalog,
  rewarded: readonly RewardedTrigger[],
  needsAnswer: (item: RewardedTrigger) => boolean,
): Steps<AnsweredTrigger[]> {
  const answered: AnsweredTrigger[] = [];
  let work = 0;
  for (const item of rewarded) {
    const { decisions, outcomes } = item;
    if (!needsAnswer(item)) {
      answered.push({ ...item, response: create(EmitTriggerResponseSchema) });
      continue;
    }
    const isLong = decisions.length > DECISIONS_PER_STEP;
    const progressed = isLong ? yield* progressedInSteps(catalog, decisions) : progressedMissions(catalog, decisions);
    answered.push({ ...item, response: triggerResponse(progressed, outcomes) });
    if ((work += decisions.length) < DECISIONS_PER_STEP) continue;
    work = 0;
    yield;
  }
  return answered;
}

/**
 * Writes the new rows of all triggers. Statements that need no answer of another are sent together.
 * @returns the ids of their journal entries, in order; none without a journal
 */
async function write(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  {
    answered,
    suspended,
  }: { readonly answered: readonly AnsweredTrigger[]; readonly suspended: readonly ResolvedTrigger[] },
  journal: Journaling | false,
  now: Date,
): Promise<string[]> {
  const finished = await inTimeSlices(finishedOperations([...answered, ...suspended.map(withEmptyAnswer)]));
  const mayBeSecondUse = anyIsSecondUse(finished);
  const entries = journal ? await inTimeSlices(journalRows(catalog, answered)) : [];
  const ids = newEntryIds(entries.length);
  await Promise.all([
    writeJournal(uow, entries, journal && !mayBeSecondUse ? journal : 'byHash', ids),
    saveAssignments(uow, await inTimeSlices(lastStates(answered)), now),
    storeOperations(uow, finished, now, mayBeSecondUse),
    announceCompletions(uow, catalog, answered),
    catalog.statistics.byId.size > 0 && storeStatistics(uow, catalog, answered, { entryIds: ids, now }),
    catalog.levelTracks.size > 0 && storeLevels(uow, catalog, answered),
    storeFreezes(uow, catalog, answered, now),
    storeStreakReviews(uow, catalog, answered, now),
    holdSuspended(uow, suspended),
  ]);
  countActivity(uow, { eventsApplied: answered.length, missionsCompleted: roundsCompleted(answered) });
  return ids;
}

/** The last state of each assignment of the batch. */
function* lastStates(decided: readonly DecidedTrigger[]): Steps<AssignmentState[]> {
  const states = new Map<string, AssignmentState>();
  for (const { decisions } of decided) {
    for (const decision of decisions)
      if ('assignment' in decision) states.set(decision.assignment.id, decision.assignment);
    if (decisions.length > DECISIONS_PER_STEP) yield;
  }
  return [...states.values()];
}

/** An event with the answer to store for its operation id. */
type AnsweredOperation = ResolvedTrigger & Pick<AnsweredTrigger, 'response'>;

function withEmptyAnswer(item: ResolvedTrigger): AnsweredOperation {
  return { ...item, response: create(EmitTriggerResponseSchema) };
}

function* finishedOperations(answered: readonly AnsweredOperation[]): Steps<FinishedOperation[]> {
  const finished: FinishedOperation[] = [];
  for (const { claim: own, account, response, mayBeSecondUse } of answered) {
    if (!own) continue;
    const isLong = response.progressedMissions.length > DECISIONS_PER_STEP;
    finished.push({
      ...own,
      mayBeSecondUse,
      accountId: account.id,
      response: isLong
        ? yield* binarySteps(EmitTriggerResponseSchema, response)
        : toBinary(EmitTriggerResponseSchema, response),
    });
  }
  return finished;
}

import { JournalEntry_Effect as Effect } from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { SkippedReward_Reason } from '../../gen/laurel/v1/reward_pb.ts';
import { Uncounted_Reason as Reason } from '../../gen/laurel/v1/uncounted_pb.ts';
import { shownAfter } from '../campaigns/assignments/assignment-message.ts';
import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import type { Decision } from '../engine/decision.ts';
import type { GameEvent } from '../engine/game-event.ts';
import {
  countedByProgress,
  type CountedPart,
  type JournalDetails,
  type JournalRow,
  type MovedMission,
  nearestCause,
  type UncountedCause,
} from '../journal/journal-row.ts';
import { shownTarget } from '../engine/missions/milestones.ts';
import { amountToNumber } from '../kernel/amount.ts';
import type { Steps } from '../kernel/concurrency/time-slices.ts';
import { storedStatistics } from './statistics-of-event.ts';
import { isEarned, type OrderOutcome, type Skipped } from '../rewards/delivery/earned-reward.ts';
import type { DecidedTrigger, RewardedTrigger } from './batch-trigger.ts';
import { unmetCondition } from './simulation/unmet-condition.ts';

/** Decisions in one step of writing the journal. */
const DECISIONS_PER_STEP = 50;

/** The journal rows of the events of a batch, in their order. */
export function* journalRows(catalog: ClientCatalog, rewarded: readonly RewardedTrigger[]): Steps<JournalRow[]> {
  const rows: JournalRow[] = [];
  let work = 0;
  for (const item of rewarded) {
    rows.push(journalRow(catalog, item));
    if ((work += item.decisions.length) < DECISIONS_PER_STEP) continue;
    work = 0;
    yield;
  }
  return rows;
}

function journalRow(catalog: ClientCatalog, item: RewardedTrigger): JournalRow {
  const { account, trigger, event, decisions, claim, outcomes, completedCampaignIds: campaigns } = item;
  const effect = effectOf(decisions, campaigns);
  const about = {
    accountId: account.id,
    occurredAt: new Date(event.occurredAt),
    programmaticCode: trigger.programmaticCode,
    operationId: claim?.operationId,
    effect,
  };
  const values = {
    ...attributesOf(item),
    ...amountOf(catalog, event),
    ...(event.isBackfilled && ({ backfilled: true } as const)),
    ...statisticsOf(item),
    ...levelsOf(item),
  };
  if (effect !== Effect.NOTHING) {
    return { ...about, details: { ...effectDetails(decisions, campaigns, outcomes), ...values } };
  }
  const cause = causeOf(catalog, item);
  const details = { ...values, ...(cause && explanationOf(catalog, cause, item)) };
  return {
    ...about,
    reason: cause ? Reason[cause.reason] : Reason.NO_MISSION,
    missionId: cause?.missionId,
    details: Object.keys(details).length > 0 ? details : undefined,
  };
}

/** The attributes that were sent, as details. Undefined without any: most events have none. */
function attributesOf({
  trigger: { metadata },
  event,
}: DecidedTrigger): Pick<JournalDetails, 'attributes'> | undefined {
  if (event.attributes.size === 0 || metadata === undefined) return undefined;
  return { attributes: Object.fromEntries(Object.entries(metadata).filter(([name]) => event.attributes.has(name))) };
}

/** The statistics that the event moved, as details. Undefined without any. */
function statisticsOf({ statistics }: DecidedTrigger): Pick<JournalDetails, 'statistics'> | undefined {
  if (statistics === undefined || statistics.length === 0) return undefined;
  return { statistics: storedStatistics(statistics) };
}

/** The levels that the event announced, as details. Undefined without any. */
function levelsOf({ levels }: DecidedTrigger): Pick<JournalDetails, 'levels'> | undefined {
  if (levels.moves.length === 0) return undefined;
  return {
    levels: levels.moves.map(({ track, previousCode, number }) => {
      return [track.id, previousCode ?? 0, track.levels[number - 1]?.code ?? 0] as const;
    }),
  };
}

/** The amount of an AMOUNT event, as details: an expression that is tried later needs it. Undefined for a SINGLE event. */
function amountOf({ events }: ClientCatalog, event: GameEvent): Pick<JournalDetails, 'amount'> | undefined {
  if (events.get(event.programmaticCode)?.type !== 'AMOUNT') return undefined;
  return { amount: amountToNumber(event.amount) };
}

/** Characters of an explanation in the journal. */
const EXPLANATION_MAX = 300;

/** The part of the mission's expression that refused the event, as details. */
function explanationOf(
  catalog: ClientCatalog,
  cause: UncountedCause,
  item: DecidedTrigger,
): Pick<JournalDetails, 'explanation'> | undefined {
  const words = unmetCondition(catalog, cause, item)?.toString();
  return words === undefined ? undefined : { explanation: words.slice(0, EXPLANATION_MAX) };
}

function effectOf(decisions: readonly Decision[], campaigns: readonly string[]): Effect {
  if (campaigns.length > 0) return Effect.CAMPAIGN_COMPLETED;
  let effect: Effect = Effect.NOTHING;
  for (const { kind } of decisions) {
    if (kind === 'completed') return Effect.COMPLETED;
    if (kind === 'progressed') effect = Effect.PROGRESSED;
  }
  return effect;
}

/** The details of decisions and their rewards. */
export function effectDetails(
  decisions: readonly Decision[],
  campaigns: readonly string[],
  outcomes: readonly OrderOutcome[],
): JournalDetails {
  const moved = decisions.flatMap((decision): MovedMission[] => {
    if (decision.kind !== 'progressed' && decision.kind !== 'completed') return [];
    const amounts = [
      amountToNumber(decision.previousProgress),
      amountToNumber(shownAfter(decision).progress),
      shownTarget(decision.assignment.target),
    ] as const;
    const mission = [decision.missionId, ...amounts] as const;
    const { lostRun: lost, milestones } = decision;
    const rounds = decision.kind === 'completed' ? decision.rounds : 0;
    const run = lost && ([lost.periods, lost.lastKept, lost.period, lost.timeZone] as const);
    if (milestones) return [[...mission, rounds, run ?? 0, milestones.map(({ length }) => length)]];
    if (run) return [[...mission, rounds, run]];
    return [rounds > 0 ? [...mission, rounds] : mission];
  });
  const counted = countedParts(decisions);
  const earned: NonNullable<JournalDetails['rewards']>[number][] = [];
  const skipped: NonNullable<JournalDetails['skippedRewards']>[number][] = [];
  for (const outcome of outcomes) {
    if (!isEarned(outcome)) {
      skipped.push(skippedReward(outcome));
      continue;
    }
    const reward = [outcome.id, outcome.rewardId, amountToNumber(outcome.amount)] as const;
    earned.push(outcome.status === 'PENDING_STOCK' ? [...reward, 1] : reward);
  }
  return {
    missions: moved,
    ...(counted.length > 0 && { counted }),
    ...(campaigns.length > 0 && { campaigns }),
    ...(earned.length > 0 && { rewards: earned }),
    ...(skipped.length > 0 && { skippedRewards: skipped }),
  };
}

/** The counted parts of an event that a reversal needs, for missions whose progress does not tell them. */
function countedParts(decisions: readonly Decision[]): CountedPart[] {
  let index = -1;
  return decisions.flatMap((decision): CountedPart[] => {
    if (decision.kind !== 'progressed' && decision.kind !== 'completed') return [];
    index += 1;
    const { amount, period } = decision.counted;
    if (period !== undefined) return [[index, Number(amount), period]];
    const { progress, target } = decision.assignment;
    const rounds = decision.kind === 'completed' ? decision.rounds : 0;
    const rise = countedByProgress({ before: decision.previousProgress, progress, target, rounds });
    return amount === rise ? [] : [[index, Number(amount)]];
  });
}

function skippedReward({ order, reason, values }: Skipped): NonNullable<JournalDetails['skippedRewards']>[number] {
  const about = [order.reward.id, SkippedReward_Reason[reason], order.missionId ?? 0, order.campaignId ?? 0] as const;
  return values === undefined ? about : [...about, values.toString().slice(0, EXPLANATION_MAX)];
}

/** The cause nearest to counting; undefined if no mission counts events of the code. */
export function causeOf(
  catalog: ClientCatalog,
  { decisions, refused, event }: DecidedTrigger,
): UncountedCause | undefined {
  let cause = refused;
  for (const decision of decisions) if (decision.kind === 'uncounted') cause = nearestCause(cause, decision);
  return cause ?? inactiveMissionsOf(catalog).get(event.programmaticCode);
}

const inactiveMissions = new WeakMap<ClientCatalog, ReadonlyMap<string, UncountedCause>>();

/** For each code, a mission that applies no event because its campaign is not active; a mission of a paused campaign comes first. */
function inactiveMissionsOf(catalog: ClientCatalog): ReadonlyMap<string, UncountedCause> {
  const known = inactiveMissions.get(catalog);
  if (known) return known;
  const causes = new Map<string, UncountedCause>();
  for (const { missionId, programmaticCode, campaign } of catalog.rules.missions.values()) {
    const reason = campaign?.status === 'PAUSED' ? 'CAMPAIGN_PAUSED' : 'CAMPAIGN_NOT_ACTIVE';
    causes.set(programmaticCode, nearestCause(causes.get(programmaticCode), { reason, missionId }));
  }
  inactiveMissions.set(catalog, causes);
  return causes;
}

import { NO_PERIOD } from './assignment.ts';
import { compileCampaign, type CampaignPlan } from './campaign-plan.ts';
import { compileMission } from './missions/compile-mission.ts';
import type { MissionPlan } from './missions/mission-plan.ts';
import type { CampaignRule, MissionRule } from './missions/mission-rule.ts';
import { missionTypes } from './missions/mission-types.ts';
import type { Calendar } from './time/calendar.ts';
import type { PeriodUnit } from './time/period.ts';
import { routineKeyAt } from './missions/routine.ts';
import type { Timestamp } from '../kernel/time/timestamp.ts';
import { atOnce, type Steps } from '../kernel/concurrency/time-slices.ts';

/** All compiled rules of one client: a snapshot that is valid until a definition changes. */
export type RuleCatalog = {
  readonly campaigns: ReadonlyMap<string, CampaignPlan>;
  /** In the order of campaign and position; standalone missions last. */
  readonly missions: ReadonlyMap<string, MissionPlan>;
  /** Missions by event code: see {@link candidatesAt}. */
  readonly byCode: ReadonlyMap<string, MissionsOfCode>;
};

/** The missions of one code, without drafts. Missions of ACTIVE campaigns and standalone missions are candidates at any time. */
export type MissionsOfCode = Candidates & {
  /** Missions of ended and paused campaigns, the latest stop first. */
  readonly stopped: readonly MissionPlan[];
};

/** The missions that events of one code can advance. */
export type Candidates = {
  readonly plans: readonly MissionPlan[];
  /**
   * The missions whose assignments must be loaded: the candidates, their prerequisites, and the rest of their
   * campaigns.
   */
  readonly missionIds: readonly string[];
};

/** Compiles the definitions of one client. Deleted missions and campaigns must not be passed. */
export function compileCatalog(missions: readonly MissionRule[], campaigns: readonly CampaignRule[]): RuleCatalog {
  return atOnce(compileSteps(missions, campaigns));
}

/** Missions compiled in one step. */
const MISSIONS_PER_STEP = 200;

/** {@link compileCatalog} in steps: a client may have thousands of missions. */
export function* compileSteps(
  missions: readonly MissionRule[],
  campaigns: readonly CampaignRule[],
): Steps<RuleCatalog> {
  const missionsOf = Map.groupBy(missions, ({ campaignId }) => campaignId);
  yield;
  const campaignPlans = new Map<string, CampaignPlan>();
  for (const rule of campaigns) {
    const ids = (missionsOf.get(rule.id) ?? []).map(({ id }) => id);
    campaignPlans.set(rule.id, compileCampaign(rule, ids));
    yield;
  }
  const unsorted: MissionPlan[] = [];
  for (const rule of missions) {
    unsorted.push(compileMission(rule, campaignOf(rule, campaignPlans)));
    if (unsorted.length % MISSIONS_PER_STEP === 0) yield;
  }
  const plans = unsorted.toSorted(byFeedOrder);
  yield;
  const byId = new Map(plans.map((plan) => [plan.missionId, plan]));
  yield;
  return { campaigns: campaignPlans, missions: byId, byCode: yield* candidatesByCode(plans) };
}

const NOTHING: Candidates = { plans: [], missionIds: [] };

/**
 * The missions that an event of a code can advance if it occurred at an instant. An event may wait for any time before it is applied, so
 * ended and paused campaigns count earlier events. Current events skip these campaigns, because a client collects thousands of them.
 */
export function candidatesAt({ byCode }: Pick<RuleCatalog, 'byCode'>, code: string, occurredAt: Timestamp): Candidates {
  const known = byCode.get(code);
  if (known === undefined) return NOTHING;
  const ran: MissionPlan[] = [];
  for (const plan of known.stopped) {
    if (stoppedAt(plan) <= occurredAt) break;
    if (Math.max(plan.opensAt, plan.countsFrom) <= occurredAt) ran.push(plan);
  }
  if (ran.length === 0) return known;
  const plans = [...known.plans, ...ran].toSorted(byFeedOrder);
  return { plans, missionIds: missionIdsFor(plans) };
}

/** The time from which events no longer count. */
function stoppedAt({ campaign, closesAt }: MissionPlan): Timestamp {
  return Math.min(closesAt, campaign?.pausedSince ?? Infinity);
}

const ONLY_WHOLE: readonly string[] = [NO_PERIOD];

/**
 * The period keys under which the assignments of the candidates may be stored for an event.
 * @param calendarOf computes the calendar, which only a mission that is split by periods needs
 */
export function periodKeysAt(
  { plans }: Pick<Candidates, 'plans'>,
  calendarOf: () => Calendar,
  occurredAt: Timestamp,
): readonly string[] {
  if (!plans.some(isSplit)) return ONLY_WHOLE;
  const calendar = calendarOf();
  const keys = new Set([NO_PERIOD]);
  const units = new Set<PeriodUnit>();
  for (const plan of plans) {
    if (!isSplit(plan) || units.has(plan.periodUnit)) continue;
    units.add(plan.periodUnit);
    keys.add(routineKeyAt(plan, calendar, occurredAt));
  }
  return [...keys];
}

function isSplit({ type }: MissionPlan): boolean {
  return missionTypes[type].isSplitByPeriod;
}

function campaignOf(rule: MissionRule, campaigns: ReadonlyMap<string, CampaignPlan>): CampaignPlan | undefined {
  if (rule.campaignId === undefined) return undefined;
  const campaign = campaigns.get(rule.campaignId);
  if (campaign === undefined)
    throw new Error(`Mission ${rule.id} names campaign ${rule.campaignId}, which was not passed.`);
  return campaign;
}

/** Orders by the age of campaigns, which their ids show, and then by position; standalone missions last. */
function byFeedOrder(a: MissionPlan, b: MissionPlan): number {
  if (a.campaign === b.campaign) return a.position - b.position;
  if (a.campaign === undefined) return 1;
  if (b.campaign === undefined) return -1;
  return a.campaign.campaignId < b.campaign.campaignId ? -1 : 1;
}

function* candidatesByCode(plans: readonly MissionPlan[]): Steps<Map<string, MissionsOfCode>> {
  const offered = plans.filter(({ campaign }) => campaign?.status !== 'DRAFT');
  const grouped = Map.groupBy(offered, ({ programmaticCode }) => programmaticCode);
  const byCode = new Map<string, MissionsOfCode>();
  for (const [code, group] of grouped) {
    yield;
    const live = group.filter(isLive);
    const stopped = group.filter((plan) => !isLive(plan)).toSorted((a, b) => stoppedAt(b) - stoppedAt(a));
    byCode.set(code, { plans: live, missionIds: missionIdsFor(live), stopped });
  }
  return byCode;
}

function isLive({ campaign }: MissionPlan): boolean {
  return campaign === undefined || campaign.status === 'ACTIVE';
}

/** The missions whose assignments must be loaded to apply an event to `plans`: see {@link Candidates.missionIds}. */
export function missionIdsFor(plans: readonly MissionPlan[]): string[] {
  const ids = new Set<string>();
  const campaigns = new Set<CampaignPlan>();
  for (const { missionId, prerequisites, campaign } of plans) {
    ids.add(missionId);
    for (const id of prerequisites) ids.add(id);
    // The missions of a campaign are added once, not once for each plan.
    if (campaign === undefined || campaigns.has(campaign)) continue;
    campaigns.add(campaign);
    for (const id of campaign.missionIds) ids.add(id);
  }
  return [...ids];
}

import { WHOLE } from './assignment.ts';
import { compileCampaign, type CampaignPlan } from './campaign-plan.ts';
import { compileMission, type MissionPlan } from './mission-plan.ts';
import type { CampaignRule, MissionRule } from './mission-rule.ts';
import { routineKeyAt } from './routine.ts';
import type { Timestamp } from './timestamp.ts';

/** Every rule of one client, compiled: a snapshot to keep until a definition changes. */
export type Catalog = {
  readonly campaigns: ReadonlyMap<string, CampaignPlan>;
  /** By campaign, then position; standalone items last. */
  readonly missions: ReadonlyMap<string, MissionPlan>;
  /** What an event of a code can move: missions of ACTIVE campaigns and standalone ones. */
  readonly byCode: ReadonlyMap<string, Candidates>;
};

/** The missions that events of one code can move. */
export type Candidates = {
  readonly plans: readonly MissionPlan[];
  /** The missions whose assignments must be at hand: the candidates, what they require, and the rest of their campaigns. */
  readonly missionIds: readonly string[];
};

/** Compiles the definitions of one client. Missions and campaigns that are deleted are not to be passed. */
export function compileCatalog(missions: readonly MissionRule[], campaigns: readonly CampaignRule[]): Catalog {
  const missionsOf = Map.groupBy(missions, ({ campaignId }) => campaignId);
  const campaignPlans = new Map<string, CampaignPlan>();
  for (const rule of campaigns) {
    const ids = (missionsOf.get(rule.id) ?? []).map(({ id }) => id);
    campaignPlans.set(rule.id, compileCampaign(rule, ids));
  }
  const plans = missions.map((rule) => compileMission(rule, campaignOf(rule, campaignPlans))).toSorted(byFeedOrder);
  return {
    campaigns: campaignPlans,
    missions: new Map(plans.map((plan) => [plan.missionId, plan])),
    byCode: candidatesByCode(plans),
  };
}

/** The period keys under which the assignments of the candidates may be stored for an event. */
export function periodKeysAt(candidates: Candidates, timeZone: string, occurredAt: Timestamp): string[] {
  const routines = candidates.plans.filter(({ type }) => type === 'ROUTINE');
  return [...new Set([WHOLE, ...routines.map((plan) => routineKeyAt(plan, timeZone, occurredAt))])];
}

function campaignOf(rule: MissionRule, campaigns: ReadonlyMap<string, CampaignPlan>): CampaignPlan | undefined {
  if (rule.campaignId === undefined) return undefined;
  const campaign = campaigns.get(rule.campaignId);
  if (campaign === undefined)
    throw new Error(`Mission ${rule.id} names campaign ${rule.campaignId}, which was not passed.`);
  return campaign;
}

/** Older campaigns first, as their ids tell; what belongs to none comes last. */
function byFeedOrder(a: MissionPlan, b: MissionPlan): number {
  if (a.campaign === b.campaign) return a.position - b.position;
  if (a.campaign === undefined) return 1;
  if (b.campaign === undefined) return -1;
  return a.campaign.campaignId < b.campaign.campaignId ? -1 : 1;
}

function candidatesByCode(plans: readonly MissionPlan[]): Map<string, Candidates> {
  const live = plans.filter(({ campaign }) => campaign === undefined || campaign.status === 'ACTIVE');
  const grouped = Map.groupBy(live, ({ programmaticCode }) => programmaticCode);
  return new Map([...grouped].map(([code, group]) => [code, { plans: group, missionIds: missionIdsFor(group) }]));
}

function missionIdsFor(plans: readonly MissionPlan[]): string[] {
  const ids = plans.flatMap(({ missionId, prerequisites, campaign }) => [
    missionId,
    ...prerequisites,
    ...(campaign?.missionIds ?? []),
  ]);
  return [...new Set(ids)];
}

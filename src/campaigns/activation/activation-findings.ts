import { eventDeclarations } from '../event-definitions/event-definitions.queries.ts';
import { clientZones } from '../../clients/client-zones.ts';
import { compileCampaign } from '../../engine/campaign-plan.ts';
import { compileMission } from '../../engine/missions/compile-mission.ts';
import { completionsMax } from '../../engine/missions/upper-bounds.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { loadRewards } from '../../rewards/definitions/rewards.queries.ts';
import { campaignRule, missionRule } from '../catalog/rules.ts';
import type { CampaignWithMissions } from '../campaigns/campaigns.queries.ts';
import { hasBegun } from '../campaigns/campaign-phase.ts';
import { type BoundedPlan, campaignCost, type CampaignCost } from './campaign-cost.ts';
import { type Finding, finding } from './finding.ts';
import { missionWarnings } from './mission-warnings.ts';
import { prerequisiteFindings } from './prerequisite-findings.ts';
import { type GivenReward, stockWarnings } from './stock-warnings.ts';
import { sentence } from '../../kernel/sentence.ts';

/**
 * The reasons to refuse the activation of a campaign at `now`. A campaign that has begun was checked before, so a mission that has closed
 * since is no reason.
 */
export async function activationProblems(uow: UnitOfWork, stored: CampaignWithMissions, now: Date): Promise<Finding[]> {
  return hasBegun(stored.campaign, now) ? [] : contentProblems(uow, stored, now);
}

/** Contradictions in a campaign that begins at `now` or later. */
export async function contentProblems(
  uow: UnitOfWork,
  { campaign, missions }: CampaignWithMissions,
  now: Date,
): Promise<Finding[]> {
  const problems: Finding[] = [];
  if (campaign.endsAt && campaign.endsAt <= now)
    problems.push(finding('endsAt', sentence`The campaign is over before it begins. Move its end into the future.`));
  missions.forEach((mission, index) => {
    const { startsAt, endsAt, name } = mission;
    if (endsAt && endsAt <= now)
      problems.push(finding(`missions[${index}].endsAt`, sentence`'${name}' is over already. Move its end.`));
    if (startsAt && campaign.endsAt && startsAt >= campaign.endsAt)
      problems.push(finding(`missions[${index}].startsAt`, sentence`'${name}' starts after the campaign's end.`));
  });
  const [given, { circles }] = await Promise.all([
    givenRewards(uow, { campaign, missions }, now),
    prerequisiteFindings(uow, { campaign, missions }),
  ]);
  for (const { field, reward } of given) {
    if (reward.archivedAt)
      problems.push(finding(field, sentence`The reward '${reward.name}' is archived. Choose another.`));
  }
  return [...problems, ...circles];
}

/**
 * Likely mistakes to show to an operator before the activation; they do not prevent it.
 * @param members accounts in its audiences
 */
export async function activationWarnings(
  uow: UnitOfWork,
  stored: CampaignWithMissions,
  members: number,
  now: Date,
): Promise<Finding[]> {
  const { startsAt, activatedAt } = stored.campaign;
  const wasActive = activatedAt !== null;
  const warnings: Finding[] = [];
  if (members === 0) warnings.push(finding('audienceIds', sentence`Nobody is in its audiences yet.`));
  if (startsAt && startsAt > now) warnings.push(finding('startsAt', sentence`Nothing counts before ${startsAt}.`));
  const plans = await plansOf(uow, stored, now);
  // In a resumed campaign, accounts may already have made most of the progress.
  warnings.push(...missionWarnings(plans, await clientZones(uow), activatedAt ?? now, now));
  warnings.push(...(await stockWarnings(uow, await givenRewards(uow, stored, now), members, wasActive)));
  const { circles, inDrafts } = await prerequisiteFindings(uow, stored);
  // The campaign may have been activated in a release that did not refuse circles.
  return [...warnings, ...(wasActive ? circles : []), ...inDrafts];
}

/** The plans of a campaign's missions. A campaign that is not active yet counts as activated at `now`. */
async function plansOf(
  uow: UnitOfWork,
  { campaign, missions }: CampaignWithMissions,
  now: Date,
): Promise<BoundedPlan[]> {
  const events = await eventDeclarations(uow);
  const since = (campaign.activatedAt ?? now).getTime();
  const plan = compileCampaign(
    { ...campaignRule(campaign), activatedAt: since },
    missions.map(({ id }) => id),
  );
  return missions.map((mission) => {
    const compiled = compileMission(missionRule(mission, events), plan);
    const counted = events.get(mission.programmaticCode);
    const most = completionsMax(compiled, counted?.type ?? 'AMOUNT', since);
    return { name: mission.name, plan: compiled, events: counted, completionsMax: most };
  });
}

/** The most that accounts can earn from a campaign, with its rewards and chests as they are now. */
export async function costOf(uow: UnitOfWork, stored: CampaignWithMissions, now: Date): Promise<CampaignCost> {
  const plans = await plansOf(uow, stored, now);
  return campaignCost(uow, stored.campaign.rewardIds, plans);
}

async function givenRewards(uow: UnitOfWork, stored: CampaignWithMissions, now: Date): Promise<GivenReward[]> {
  const { campaign, missions } = stored;
  const rewards = await loadRewards(uow, [...campaign.rewardIds, ...missions.flatMap(({ rewardIds }) => rewardIds)]);
  const named = (ids: readonly string[], path: string, times: number) =>
    ids.flatMap((id, index) => {
      const reward = rewards.get(id);
      return reward ? [{ field: `${path}rewardIds[${index}]`, reward, times }] : [];
    });
  return [
    ...named(campaign.rewardIds, '', 1),
    ...(await plansOf(uow, stored, now)).flatMap(({ plan, completionsMax: times }, index) =>
      named(plan.rewardIds, `missions[${index}].`, times),
    ),
  ];
}

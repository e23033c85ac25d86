import type { UnitOfWork } from '../../persistence/database.ts';
import type { RewardDefinition } from '../../rewards/definitions/reward-definition.ts';
import { loadRewards, productsWithoutStock } from '../../rewards/definitions/rewards.queries.ts';
import type { CampaignWithMissions } from './campaigns.queries.ts';
import type { Finding } from './finding.ts';
import { prerequisiteFindings } from './prerequisite-findings.ts';

/**
 * What activating a campaign is refused for at `now`: what nobody could have meant. A campaign that was active before has
 * been looked at then, and is not held up by a mission that has closed meanwhile.
 */
export async function activationProblems(
  uow: UnitOfWork,
  { campaign, missions }: CampaignWithMissions,
  now: Date,
): Promise<Finding[]> {
  if (campaign.activatedAt !== null) return [];
  const problems: Finding[] = [];
  if (campaign.endsAt && campaign.endsAt <= now)
    problems.push({ field: 'endsAt', message: 'The campaign is over before it begins. Move its end into the future.' });
  missions.forEach((mission, index) => {
    const { startsAt, endsAt, name } = mission;
    if (endsAt && endsAt <= now)
      problems.push({ field: `missions[${index}].endsAt`, message: `'${name}' is over already. Move its end.` });
    if (startsAt && campaign.endsAt && startsAt >= campaign.endsAt)
      problems.push({ field: `missions[${index}].startsAt`, message: `'${name}' starts after the campaign's end.` });
  });
  const [given, { circles }] = await Promise.all([
    givenRewards(uow, { campaign, missions }),
    prerequisiteFindings(uow, { campaign, missions }),
  ]);
  for (const { field, reward } of given) {
    if (reward.archivedAt)
      problems.push({ field, message: `The reward '${reward.name}' is archived. Choose another.` });
  }
  return [...problems, ...circles];
}

/** What an operator wants to know before activating, and may well have meant. */
export async function activationWarnings(
  uow: UnitOfWork,
  stored: CampaignWithMissions,
  members: number,
  now: Date,
): Promise<Finding[]> {
  const { startsAt } = stored.campaign;
  const warnings: Finding[] = [];
  if (members === 0) warnings.push({ field: 'audienceIds', message: 'Nobody is in its audiences yet.' });
  if (startsAt && startsAt > now)
    warnings.push({ field: 'startsAt', message: `Nothing counts before ${startsAt.toISOString()}.` });
  const given = await givenRewards(uow, stored);
  const empty = await productsWithoutStock(
    uow,
    given.flatMap(({ reward }) => reward.product?.id ?? []),
  );
  for (const { field, reward } of given) {
    if (reward.product && empty.has(reward.product.id))
      warnings.push({ field, message: `'${reward.product.name}' is out of stock: who earns it waits for a restock.` });
  }
  const { circles, inDrafts } = await prerequisiteFindings(uow, stored);
  // Of a campaign that was active before such circles were refused they are worth knowing.
  return [...warnings, ...(stored.campaign.activatedAt === null ? [] : circles), ...inDrafts];
}

type GivenReward = { readonly field: string; readonly reward: RewardDefinition };

async function givenRewards(uow: UnitOfWork, { campaign, missions }: CampaignWithMissions): Promise<GivenReward[]> {
  const rewards = await loadRewards(uow, [...campaign.rewardIds, ...missions.flatMap(({ rewardIds }) => rewardIds)]);
  const named = (ids: readonly string[], path: string) =>
    ids.flatMap((id, index) => {
      const reward = rewards.get(id);
      return reward ? [{ field: `${path}rewardIds[${index}]`, reward }] : [];
    });
  return [
    ...named(campaign.rewardIds, ''),
    ...missions.flatMap(({ rewardIds }, index) => named(rewardIds, `missions[${index}].`)),
  ];
}

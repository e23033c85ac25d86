import { List, Stack, Text, Title } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { MergedMission } from '../../../../gen/laurel/v1/account_merge_pb.ts';
import type { MergeAccountsResponse } from '../../../../gen/laurel/v1/account_merge_service_pb.ts';
import type { EarnedReward } from '../../../../gen/laurel/v1/reward_pb.ts';
import { rewardTypeName } from '../rewards/reward-types.ts';

/** The effect of a merge before it is done: what moves, what missions become, what is paid, and whether it can be undone. */
export function MergeEffect({ effect }: { readonly effect: MergeAccountsResponse }) {
  const t = useTranslations('support.merge');
  const types = useTranslations('rewards.types');
  const format = useFormatter();
  const { moved, missions, rewards, pendingRewards, skippedRewards, completedCampaignIds, undoable } = effect;
  const rewardText = ({ amount, rewardType }: EarnedReward) =>
    `${format.number(amount, 'amount')} × ${types(rewardTypeName(rewardType))}`;
  const facts = [
    moved &&
      t('moved', {
        points: moved.points,
        rewards: moved.earnedRewards,
        chests: moved.chests,
        redemptions: moved.redemptions,
        reservations: moved.reservations,
      }),
    moved?.debt !== undefined && t('debt', { debt: moved.debt }),
    completedCampaignIds.length > 0 && t('campaigns', { count: completedCampaignIds.length }),
    rewards.length > 0 && t('paid', { rewards: rewards.map(rewardText).join(', ') }),
    pendingRewards.length > 0 && t('waiting', { rewards: pendingRewards.map(rewardText).join(', ') }),
    skippedRewards.length > 0 && t('skipped', { count: skippedRewards.length }),
  ].filter((text) => typeof text === 'string');
  return (
    <Stack component="section" aria-label={t('effect')} gap="xs">
      <Title order={3} size="sm">
        {t('effect')}
      </Title>
      <List size="sm" spacing={4}>
        {facts.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
        {missions.map((mission) => (
          <List.Item key={`${mission.missionId} ${mission.periodKey ?? ''}`} style={{ overflowWrap: 'anywhere' }}>
            <MissionText mission={mission} />
          </List.Item>
        ))}
      </List>
      <Text size="sm" fw={500}>
        {undoable ? t('undoable') : t('final')}
      </Text>
    </Stack>
  );
}

function MissionText({ mission }: { readonly mission: MergedMission }) {
  const t = useTranslations('support.merge');
  const { name, periodKey = '', mergedProgress: merged, previousProgress: previous, progress, target } = mission;
  return t('mission', {
    ...{ name: periodKey === '' ? name : `${name} ${periodKey}`, merged, previous, progress, target },
    completed: mission.completed ? 'yes' : 'no',
  });
}

import { Badge, Group, Stack, Text } from '@mantine/core';
import { Flag } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { EarnedReward_Status, type SkippedReward } from '../../../../gen/laurel/v1/reward_pb.ts';
import type { SimulatedMission_Closing, SimulatedReward } from '../../../../gen/laurel/v1/trigger_pb.ts';
import { useSkippedWords } from '../rewards/skipped-words.ts';
import { rewardTypeName } from '../rewards/reward-types.ts';

/** Rewards that would be earned, and those that would not. */
type Rewards = { readonly rewards: readonly SimulatedReward[]; readonly skippedRewards: readonly SkippedReward[] };

/** The rewards that would be earned, each with the remaining stock of its product, and those that would not; empty without any. */
export function SimulatedRewards({ rewards, skippedRewards }: Rewards) {
  const t = useTranslations('simulator');
  const notEarned = useSkippedWords();
  if (rewards.length + skippedRewards.length === 0) return null;
  return (
    <Stack component="ul" aria-label={t('earns')} gap={6} m={0} p={0}>
      {rewards.map((reward, index) => (
        <Earned key={index} reward={reward} />
      ))}
      {skippedRewards.map((skipped) => (
        <Text key={skipped.rewardId} component="li" size="sm" c="dimmed" style={{ listStyle: 'none' }}>
          {notEarned(skipped)}
        </Text>
      ))}
    </Stack>
  );
}

/** The outcome of the campaign, with its rewards. */
export function SimulatedClosing({ closing }: { readonly closing: SimulatedMission_Closing }) {
  const t = useTranslations('simulator');
  return (
    <Stack gap={6} mt={4}>
      <Group gap={6} wrap="nowrap" align="flex-start">
        <Flag size={16} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
        <Text size="sm" fw={600}>
          {t(closing.claimable ? 'becomesClaimable' : 'closes')}
        </Text>
      </Group>
      <SimulatedRewards rewards={closing.rewards} skippedRewards={closing.skippedRewards} />
    </Stack>
  );
}

function Earned({ reward }: { readonly reward: SimulatedReward }) {
  const t = useTranslations('simulator');
  const types = useTranslations('rewards.types');
  const format = useFormatter();
  const waits = reward.status === EarnedReward_Status.PENDING_STOCK;
  return (
    <Group component="li" justify="space-between" gap="xs" align="flex-start">
      <Stack gap={0} style={{ minWidth: 0 }}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reward.name}{' '}
          <Text span inherit c="dimmed">
            {format.number(reward.amount, 'amount')} · {types(rewardTypeName(reward.rewardType))}
            {reward.productName !== undefined && ` · ${reward.productName}`}
          </Text>
        </Text>
        <Stock reward={reward} waits={waits} />
      </Stack>
      <Badge color={waits ? 'yellow' : 'green'}>{t(waits ? 'waits' : 'delivered')}</Badge>
    </Group>
  );
}

function Stock({ reward, waits }: { readonly reward: SimulatedReward; readonly waits: boolean }) {
  const t = useTranslations('simulator');
  const { productId, units = 0, unitsFree: free } = reward;
  if (productId === undefined) return null;
  const words =
    units === 0
      ? t('noUnitYet')
      : free === undefined
        ? t('stockUnlimited')
        : t(waits ? 'stockMissing' : 'stockTaken', { free, units });
  return (
    <Text size="xs" c="dimmed" className="laurel-number">
      {words}
    </Text>
  );
}

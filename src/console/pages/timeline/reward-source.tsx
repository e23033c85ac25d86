import { useQuery } from '@connectrpc/connect-query';
import { useTranslations } from 'use-intl';
import { FeedService } from '../../../../gen/laurel/v1/feed_service_pb.ts';
import type { EarnedReward } from '../../../../gen/laurel/v1/reward_pb.ts';
import { NameLink } from '../../names/name-link.tsx';
import { useName } from '../../names/use-name.ts';
import { hasField, rewardTypeName } from '../rewards/reward-types.ts';

/** The amount of an earned reward in words; undefined for a badge, which is one. */
export function useRewardAmount(): (reward: EarnedReward) => string | undefined {
  const t = useTranslations('timeline.rewardAmounts');
  return ({ rewardType, amount }) => {
    const name = rewardTypeName(rewardType);
    return hasField(name, 'amount') ? t(name, { amount }) : undefined;
  };
}

/** The reward that paid points, and its campaign. */
export function RewardSource(props: { readonly accountId: string; readonly id: string | undefined }) {
  const t = useTranslations('timeline');
  // All of an account's rewards are one answer, which its other lines and its tab of rewards share.
  const { data } = useQuery(FeedService.method.listEarnedRewards, { accountId: props.accountId });
  const source = data?.rewards.find(({ id }) => id === props.id);
  const reward = useName('reward', source?.rewardId ?? '');
  if (source === undefined || reward === '') return t('sources.EARNED_REWARD');
  return (
    <>
      <span>{t('forReward', { reward })}</span>
      {source.campaignId !== undefined && <NameLink kind="campaign" id={source.campaignId} />}
    </>
  );
}

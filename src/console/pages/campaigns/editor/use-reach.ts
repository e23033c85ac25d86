import { useQuery } from '@connectrpc/connect-query';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import {
  CampaignAdminService,
  type GetReachResponse,
} from '../../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { type CampaignValues, type MissionValues, repeats } from './campaign-values.ts';
import { hasField } from '../mission-types.ts';

/** Milliseconds without a change before the request, because the count of a large audience is expensive. */
const QUIET = 500;

/** The reach of a draft campaign, and the stock for it; undefined during loading. */
export function useReach(values: CampaignValues): GetReachResponse | undefined {
  const rewards = [
    ...values.rewardIds.map((rewardId) => ({ rewardId, times: 1 })),
    ...values.missions.flatMap((mission) =>
      mission.rewardIds.map((rewardId) => ({ rewardId, times: timesOf(mission) })),
    ),
  ];
  // As text: the same choice in a new array is no change.
  const [asked] = useDebouncedValue(JSON.stringify({ audienceIds: values.audienceIds, rewards }), QUIET);
  const request = JSON.parse(asked) as { readonly audienceIds: string[]; readonly rewards: typeof rewards };
  const enabled = request.audienceIds.length > 0;
  const { data } = useQuery(CampaignAdminService.method.getReach, request, {
    enabled,
    placeholderData: keepPreviousData,
  });
  return enabled ? data : undefined;
}

/** The maximum of completions of a mission by one account: once in each period of a ROUTINE, and in each round of one that repeats. */
function timesOf(mission: MissionValues): number {
  const { type, occurrences, repeat } = mission;
  const times = hasField(type, 'occurrences') ? occurrences : repeats(mission) ? repeat.max : 1;
  return times === '' ? 1 : Math.min(1_000, Math.max(1, Math.round(times)));
}

import { useQuery } from '@connectrpc/connect-query';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import {
  CampaignAdminService,
  type GetReachResponse,
} from '../../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { CampaignValues, MissionValues } from './campaign-values.ts';
import { hasField } from '../mission-types.ts';

/** Milliseconds without a change until the service is asked: counting a large audience is work. */
const QUIET = 500;

/** How far a campaign that is being written would reach, and what is in stock for it; undefined while nothing is known. */
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

/** How often one account can complete a mission: a ROUTINE once in each of its periods. */
function timesOf({ type, occurrences }: MissionValues): number {
  if (!hasField(type, 'occurrences') || occurrences === '') return 1;
  return Math.min(1_000, Math.max(1, Math.round(occurrences)));
}

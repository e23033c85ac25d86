import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import { AudienceAdminService } from '../../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { RewardAdminService } from '../../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { filterOf } from '../../table/filter-of.ts';

/** Returns the name of an id; the id itself while the name is unknown. */
type NameOf = (id: string) => string;

/** The names of some rewards. */
export function useRewardNames(ids: readonly string[]): NameOf {
  return useNames(RewardAdminService.method.listRewards, ids);
}

/** The names of some audiences. */
export function useAudienceNames(ids: readonly string[]): NameOf {
  return useNames(AudienceAdminService.method.listAudiences, ids);
}

function useNames<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  ids: readonly string[],
): NameOf {
  const wanted = [...new Set(ids)].toSorted();
  // Archived rewards are included, because campaigns may still name them.
  const filters = { ...filterOf({ id: wanted }), includeDeleted: true };
  const request = { page: 1, limit: Math.max(wanted.length, 1), filters };
  const { data } = useQuery(method, request as unknown as MessageInitShape<Input>, {
    enabled: wanted.length > 0,
    staleTime: 60_000,
  });
  const rows = (data as { readonly rows: readonly { id: string; name: string }[] } | undefined)?.rows ?? [];
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? `${id.slice(0, 8)}…`;
}

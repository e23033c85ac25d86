import { toJson } from '@bufbuild/protobuf';
import { CampaignAdminService } from '../../packages/typescript/src/gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { CampaignSchema } from '../../packages/typescript/src/gen/laurel/v1/campaign_pb.ts';
import { firstOf } from './first-of.ts';
import { connect, type Connection } from './connect.ts';
import { type Output, print, tableOf } from './output.ts';
import { countOf } from './values.ts';

/** `laurel campaigns list`: the campaigns, the newest first. */
export async function listCampaigns({
  options,
}: {
  readonly options: Connection & Output & { readonly limit?: string | undefined; readonly status?: string | undefined };
}): Promise<void> {
  const limit = countOf('--limit', options.limit, 20, 1_000);
  const laurel = await connect(options);
  const status = options.status as 'DRAFT' | 'ACTIVE' | 'PAUSED' | 'ENDED' | undefined;
  const list = laurel.list(CampaignAdminService.method.listCampaigns, {
    where: { status },
    orderBy: 'createdAt desc',
    pageSize: limit,
  });
  const rows = (await firstOf(list, limit)).map((campaign) => toJson(CampaignSchema, campaign));
  await print(options, rows, () =>
    tableOf(
      ['id', 'name', 'status', 'missions', 'starts', 'ends'],
      rows.map(({ id = '', name = '', status: state = '', missions = [], startsAt, endsAt }) => [
        ...[id, name, state, `${missions.length}`, startsAt ?? '', endsAt ?? ''],
      ]),
    ),
  );
}

import { toJson } from '@bufbuild/protobuf';
import {
  type TimelineEntryJson,
  TimelineEntrySchema,
  TimelineEntry_Kind,
} from '../../packages/typescript/src/gen/laurel/admin/v1/timeline_entry_pb.ts';
import { TimelineAdminService } from '../../packages/typescript/src/gen/laurel/admin/v1/timeline_admin_service_pb.ts';
import { AccountService } from '../../packages/typescript/src/gen/laurel/v1/account_service_pb.ts';
import { connect, type Connection } from './connect.ts';
import { firstOf } from './first-of.ts';
import { type Output, print, tableOf } from './output.ts';
import { countOf, idTypeOf } from './values.ts';

/** The most entries of one page. */
const PAGE_MAX = 200;

/** `laurel accounts timeline`: the history of an account, the latest first. */
export async function showTimeline({
  args: [id = ''],
  options,
}: {
  readonly args: readonly string[];
  readonly options: Connection &
    Output & {
      readonly 'id-type'?: string | undefined;
      readonly limit?: string | undefined;
      readonly kind?: readonly string[] | undefined;
    };
}): Promise<void> {
  const limit = countOf('--limit', options.limit, 20, 1_000);
  const laurel = await connect(options, idTypeOf(options));
  const { account } = await laurel.client(AccountService).getAccount({ id });
  const list = laurel.list(TimelineAdminService.method.listAccountTimeline, {
    accountId: account?.id ?? '',
    kinds: (options.kind ?? []).map((kind) => TimelineEntry_Kind[kind as keyof typeof TimelineEntry_Kind]),
    pageSize: Math.min(limit + 1, PAGE_MAX),
  });
  const entries = (await firstOf(list, limit)).map((entry) => toJson(TimelineEntrySchema, entry));
  await print(options, entries, () =>
    tableOf(
      ['time', 'kind', 'what'],
      entries.map((entry) => [entry.happenedAt ?? '', entry.kind ?? '', wordsOf(entry)]),
    ),
  );
}

/** An entry in one line. */
function wordsOf({
  event,
  mission,
  campaign,
  reward,
  points,
  chest,
  redemption,
  reservation,
  change,
}: TimelineEntryJson) {
  const parts = [
    event && [event.programmaticCode, event.effect, event.uncountedReason, event.missionName, event.errorCode],
    mission && [mission.name, mission.campaignName && `of ${mission.campaignName}`, mission.periodKey],
    campaign && [campaign.name, campaign.closedAt === undefined ? 'waits for the claim' : 'closed'],
    reward && [reward.rewardType, reward.amount, reward.status],
    points && [points.type, points.amount, `balance ${points.balanceAfter ?? 0}`, points.reason],
    chest && [chest.name, chest.openedAt === undefined ? 'closed' : 'opened'],
    redemption && [redemption.quantity, redemption.product?.name, redemption.status],
    reservation && [reservation.quantity, reservation.status],
    change && [change.operation, change.actorName && `by ${change.actorName}`],
  ];
  const words = parts.find((each) => each !== undefined) ?? [];
  return words.filter((word) => word !== undefined && word !== '').join(' ');
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import { TimelineEntry_Kind as Kind, type TimelineEntrySchema } from '../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import { amountFromDecimal, optionalAmount } from '../kernel/amount.ts';
import { propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import { newestOfAccount, type TimelineSource } from '../persistence/subjects/timeline-source.ts';
import { toChestMessage } from './chests/chest-message.ts';
import { findChests } from './chests/chests.queries.ts';
import { toEarnedRewardMessage } from './delivery/earned-reward-message.ts';
import { earnedRewardTable } from './delivery/earned-reward.entity.ts';

type Content = MessageInitShape<typeof TimelineEntrySchema>['what'];

const EARNED = propertiesOf(earnedRewardTable, [
  'id',
  'accountId',
  'rewardId',
  'rewardType',
  'amount',
  'status',
  'campaignId',
  'missionId',
  'assignmentId',
  'milestone',
  'levelTrackId',
  'leaderboardRunId',
  'productId',
  'createdAt',
  'deliveredAt',
  'amountUnpaid',
  'amountReversed',
]);

type Earned = RowOf<typeof EARNED>;

/** The rewards and chests of an account, for its timeline. */
export const rewardTimelines: readonly TimelineSource<Content>[] = [
  {
    kind: Kind.REWARD,
    async page(uow, accountId, window, limit) {
      const of = { accountId, window, limit };
      const rows = await newestOfAccount<Earned>(uow, { select: EARNED, table: 'earned_reward' }, of);
      return rows.map(({ at, id, row }) => ({ at, id, content: { case: 'reward', value: messageOf(row) } }));
    },
  },
  {
    kind: Kind.CHEST,
    async page(uow, accountId, window, limit) {
      const rows = await newestOfAccount(uow, { select: 'id', table: 'chest' }, { accountId, window, limit });
      const named = rows.map(({ id }) => ({ accountId, id }));
      const chests = new Map((await findChests(uow, named)).map((chest) => [chest.id, chest]));
      return rows.flatMap(({ at, id }) => {
        const chest = chests.get(id);
        return chest === undefined
          ? []
          : [{ at, id, content: { case: 'chest' as const, value: toChestMessage(chest) } }];
      });
    },
  },
];

/** The message of an earned reward, without codes. */
function messageOf(row: Earned) {
  return toEarnedRewardMessage({
    ...row,
    amount: amountFromDecimal(row.amount),
    redemption: undefined,
    amountUnpaid: optionalAmount(row.amountUnpaid ?? null),
    amountReversed: optionalAmount(row.amountReversed ?? null),
    campaignId: row.campaignId ?? undefined,
    missionId: row.missionId ?? undefined,
    assignmentId: row.assignmentId ?? undefined,
    milestone: row.milestone ?? undefined,
    levelTrackId: row.levelTrackId ?? undefined,
    leaderboardRunId: row.leaderboardRunId ?? undefined,
    productId: row.productId ?? undefined,
    deliveredAt: row.deliveredAt ?? undefined,
  });
}

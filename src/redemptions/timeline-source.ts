import type { MessageInitShape } from '@bufbuild/protobuf';
import { TimelineEntry_Kind, type TimelineEntrySchema } from '../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import { newestOfAccount, type TimelineSource } from '../persistence/subjects/timeline-source.ts';
import { toRedemptionMessage } from './redemption-message.ts';
import { redemptionsById } from './redemptions.queries.ts';

type Content = MessageInitShape<typeof TimelineEntrySchema>['what'];

/** The redemptions of an account, for its timeline, without the codes. */
export const redemptionTimeline: TimelineSource<Content> = {
  kind: TimelineEntry_Kind.REDEMPTION,
  async page(uow, accountId, window, limit) {
    const rows = await newestOfAccount(uow, { select: 'id', table: 'redemption' }, { accountId, window, limit });
    const redemptions = await redemptionsById(
      uow,
      rows.map(({ id }) => id),
    );
    return rows.flatMap(({ at, id }) => {
      const redemption = redemptions.get(id);
      if (redemption === undefined) return [];
      const value = toRedemptionMessage({ ...redemption, redeemables: [] }, undefined);
      return [{ at, id, content: { case: 'redemption' as const, value } }];
    });
  },
};

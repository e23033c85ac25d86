import type { MessageInitShape } from '@bufbuild/protobuf';
import { TimelineEntry_Kind, type TimelineEntrySchema } from '../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import { credentialNames } from '../clients/credentials/credential-names.ts';
import { momentOfId } from '../kernel/ids.ts';
import { timelineMoment, type TimelineSource } from '../persistence/subjects/timeline-source.ts';
import { refusedCallMessage } from './refused-call-message.ts';
import { refusedOrders } from './refused-calls.queries.ts';

type Content = MessageInitShape<typeof TimelineEntrySchema>['what'];

/** The refused purchases and claims of an account, for its timeline. Refused events are in the list of refused calls only. */
export const refusalTimeline: TimelineSource<Content> = {
  kind: TimelineEntry_Kind.REFUSAL,
  async page(uow, accountId, window, limit) {
    const rows = await refusedOrders(uow, accountId, window, limit);
    const names = await credentialNames(
      uow,
      rows.map((row) => row.credentialId),
    );
    return rows.map((row) => ({
      at: timelineMoment(momentOfId(row.id)),
      id: row.id,
      content: { case: 'refusal', value: refusedCallMessage(row, names) },
    }));
  },
};

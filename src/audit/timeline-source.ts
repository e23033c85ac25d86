import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  TimelineEntry_Kind,
  type TimelineEntry_InterventionSchema,
  type TimelineEntrySchema,
} from '../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import { AccountSchema } from '../../gen/laurel/v1/account_pb.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { newestOfAccount, type TimelineSource } from '../persistence/subjects/timeline-source.ts';
import { AUDIT_ENTRY, type AuditRow, toAuditEntryMessage } from './audit-entry-message.ts';
import { resourceTypeOf } from './record-change.ts';

type Content = MessageInitShape<typeof TimelineEntrySchema>['what'];
type Intervention = MessageInitShape<typeof TimelineEntry_InterventionSchema>;

/** The changes by people to an account, for its timeline. */
export const changeTimeline: TimelineSource<Content> = {
  kind: TimelineEntry_Kind.CHANGE,
  async page(uow, accountId, window, limit) {
    const rows = await newestOfAccount<AuditRow>(
      uow,
      {
        select: AUDIT_ENTRY,
        table: 'audit_entry',
        lead: [
          ['resource_type', 'text', resourceTypeOf(AccountSchema)],
          ['resource_id', 'text', accountId],
        ],
      },
      { accountId, window, limit },
    );
    return rows.map(({ at, id, row }) => ({ at, id, content: { case: 'change', value: toAuditEntryMessage(row) } }));
  },
};

/** The most entries per resource. */
const EACH_MAX = 5;

/** The manual changes to resources, by their ids: the latest few of each. */
export async function interventionsIn(
  uow: UnitOfWork,
  things: readonly { readonly resourceType: string; readonly id: string }[],
): Promise<Map<string, Intervention[]>> {
  if (things.length === 0) return new Map();
  const rows = await uow.query<AuditRow>(
    `select e.* from unnest($2::text[], $3::text[]) as thing(type, id) cross join lateral (
       select ${AUDIT_ENTRY} from audit_entry
        where client_id = $1 and resource_type between thing.type and thing.type and resource_id between thing.id and thing.id
        order by resource_type desc, resource_id desc, id desc limit $4) e`,
    [uow.clientId, things.map(({ resourceType }) => resourceType), things.map(({ id }) => id), EACH_MAX],
  );
  const byThing = Map.groupBy(rows, ({ resourceId }) => resourceId ?? '');
  return new Map(
    [...byThing].map(([id, entries]) => [
      id,
      entries.map((entry) => ({
        auditEntryId: entry.id,
        operation: entry.operation,
        actorName: entry.actorName,
        note: entry.note ?? undefined,
        createdAt: timestampFromDate(entry.createdAt),
      })),
    ]),
  );
}

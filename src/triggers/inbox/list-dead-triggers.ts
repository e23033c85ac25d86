import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  ListDeadTriggersRequest,
  ListDeadTriggersResponseSchema,
} from '../../../gen/laurel/admin/v1/dead_trigger_admin_service_pb.ts';
import type { DeadTriggerSchema } from '../../../gen/laurel/admin/v1/dead_trigger_pb.ts';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import type { Call } from '../../clients/call.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { OPERATION_ID, STORED_COLUMNS } from './inbox.queries.ts';
import { triggerInboxTable } from './trigger-inbox.entity.ts';
import type { StoredTrigger, WaitingTrigger } from './waiting-trigger.ts';

/** Lists dead triggers by page, the latest first: proto DeadTriggerAdminService.ListDeadTriggers. */
export function listDeadTriggers(
  { db, principal }: Call,
  request: ListDeadTriggersRequest,
): Promise<MessageInitShape<typeof ListDeadTriggersResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await deadTriggerPage(uow, request);
    return { ...page, rows: page.rows.map(toDeadTriggerMessage) };
  });
}

const DEATH = columnsOf(triggerInboxTable, ['acceptedAt', 'deadAt', 'errorCode', 'errorMessage']);

/** A dead trigger. Its columns about the death are never null. */
type DeadTriggerRow = StoredTrigger &
  Pick<WaitingTrigger, 'id' | 'attempts'> & {
    readonly [Column in keyof RowOf<typeof DEATH>]: NonNullable<RowOf<typeof DEATH>[Column]>;
  };

/** One dead trigger as the API shows it; undefined for an unknown id. */
export async function findDeadTrigger(
  uow: UnitOfWork,
  id: string,
): Promise<MessageInitShape<typeof DeadTriggerSchema> | undefined> {
  const [row] = await uow.query<DeadTriggerRow>(
    `select ${COLUMNS} from trigger_inbox where client_id = $1 and id = $2 and dead_at is not null`,
    [uow.clientId, id],
  );
  return row && toDeadTriggerMessage(row);
}

const COLUMNS = `id, ${STORED_COLUMNS}, attempts, ${DEATH}`;

const deadTriggerPage = pagedList<DeadTriggerRow>({
  from: `(select *, ${OPERATION_ID} as sent_operation_id from trigger_inbox where dead_at is not null) as dead_trigger`,
  columns: COLUMNS,
  orderBy: ['dead_at', 'id'],
  descending: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    programmaticCode: { kind: 'text', column: 'programmatic_code' },
    accountId: { kind: 'text', column: 'account_id' },
    operationId: { kind: 'text', column: 'sent_operation_id' },
    errorCode: { kind: 'text', column: 'error_code' },
    acceptedAt: { kind: 'timestamp', column: 'accepted_at' },
    deadAt: { kind: 'timestamp', column: 'dead_at' },
  },
  orderable: { deadAt: { column: 'dead_at' } },
  searched: { ids: ['id'], words: ['account_id', 'sent_operation_id', 'programmatic_code'] },
});

function toDeadTriggerMessage(row: DeadTriggerRow): MessageInitShape<typeof DeadTriggerSchema> {
  return {
    id: row.id,
    programmaticCode: row.programmaticCode,
    accountId: row.accountId,
    idType: Account_IdType[row.idType],
    metadata: row.metadata ?? {},
    operationId: row.operationId ?? undefined,
    occurredAt: timestampFromDate(row.occurredAt),
    acceptedAt: timestampFromDate(row.accepted_at),
    attempts: row.attempts,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    deadAt: timestampFromDate(row.dead_at),
  };
}

import type { UnitOfWork } from '../../persistence/database.ts';
import { type AttentionItem, WAITING_MAX } from '../../activity/causes.ts';

/** The dead triggers of a client, as one item for the operator's attention. */
export async function deadTriggerCause(uow: UnitOfWork): Promise<readonly AttentionItem[]> {
  const [row] = await uow.query<{ count: number; since: Date }>(
    `select dead_at as since,
            (select count(*) from (select 1 from trigger_inbox where client_id = $1 and dead_at is not null
                                    limit ${WAITING_MAX}) counted)::int as count
       from trigger_inbox where client_id = $1 and dead_at is not null order by client_id, dead_at, id limit 1`,
    [uow.clientId],
  );
  return row === undefined ? [] : [{ severity: 'URGENT', ...row }];
}

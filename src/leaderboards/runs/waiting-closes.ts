import { type AttentionItem, CAUSES_MAX } from '../../activity/causes.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';

/** Milliseconds after which a close waits for something: it takes two minutes for ten million accounts. */
const PATIENCE_MS = 10 * 60_000;

/** Runs that should be closed by now, or whose prizes should be delivered, the oldest first. */
export async function waitingCloses(uow: UnitOfWork, now: Date): Promise<readonly AttentionItem[]> {
  const rows = await uow.query<{ runId: string; id: string; name: string; since: Date }>(
    `select r.id as "runId", b.id, b.name, r.due_at as since
       from (select id, leaderboard_id, due_at from leaderboard_run where client_id = $1 and due_at <= $2
              order by client_id, due_at, id limit ${CAUSES_MAX}) r
      cross join ${lookUpByKey({ select: 'id, name', from: 'leaderboard', key: { id: 'r.leaderboard_id' } })} b
      order by r.due_at, r.id`,
    [uow.clientId, new Date(now.getTime() - PATIENCE_MS)],
  );
  return rows.map(({ runId, id, name, since }) => {
    return { about: runId, subjectId: id, subject: name, since, severity: 'URGENT' };
  });
}

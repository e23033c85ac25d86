import type { ErrorCodeName } from '../../kernel/errors/error-codes.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows } from '../../persistence/key-lookup.ts';
import { ARRIVED, isDue } from '../../persistence/moments.ts';
import { type AbandonedBatch, isOld } from './batches.queries.ts';
import { LONGEST_RETRY_MS } from './waiting-trigger.ts';

/** The reason for a quarantine, in words for the operator of the client. */
const MESSAGE =
  `The process that applied this event ended before it was done: it was killed, crashed or ran out of memory.
 Its log, or that of what runs it, tells why. Replay the event once that is fixed.`.replaceAll('\n', '');

/** The code of an event during which a process died. */
export const PROCESS_DIED = 'PROCESS_DIED' satisfies ErrorCodeName;

/** Clients with due events in quarantine, or with claims that look abandoned. Runs in a system unit of work. */
export async function clientsWithQuarantined(
  uow: UnitOfWork,
  { graceMs, own }: { readonly graceMs: number; readonly own: readonly string[] },
): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>(
    `select client_id from trigger_batch
      where ${isOld('$1')} and id <> all($2::uuid[])
     union
     select client_id from trigger_inbox
      where alone is not null and dead_at is null and ${isDue('not_before', LONGEST_RETRY_MS)}`,
    [graceMs, own],
  );
  return rows.map(({ client_id }) => client_id);
}

/**
 * Moves the events of an abandoned batch into quarantine: each is applied alone from now on. A batch of one event counts as an attempt,
 * because that event is known to be the cause.
 */
export async function quarantineBatch(
  uow: UnitOfWork,
  { firstId, lastId, markedAt }: AbandonedBatch,
  retryInMs: (attempts: number) => number,
): Promise<string[]> {
  const events = await uow.query<{ id: string; attempts: number }>(
    `select id, attempts from trigger_inbox
      where client_id = $1 and id between $2 and $3 and dead_at is null and alone is null
        and ${isDue('not_before', LONGEST_RETRY_MS, '$4::timestamptz')}
      order by id for update skip locked`,
    [uow.clientId, firstId, lastId, markedAt],
  );
  const [only, another] = events;
  if (only === undefined) return [];
  const alone = another === undefined ? 'TRIED' : 'WAITING';
  await uow.query(
    `update trigger_inbox i set alone = $3, error_code = $4, error_message = $5,
            attempts = attempts + case when $3 = 'TRIED' then 1 else 0 end,
            not_before = ${ARRIVED} + case when $3 = 'TRIED' then $6::float8 end * interval '1 ms'
       from ${lockedRows({
         source: 'unnest($2::uuid[]) as s(id)',
         alias: 's',
         table: 'trigger_inbox',
         key: { id: 's.id' },
       })} where i.client_id = $1 and i.ctid = s.row_ctid`,
    [uow.clientId, events.map(({ id }) => id), alone, PROCESS_DIED, MESSAGE, retryInMs(only.attempts + 1)],
  );
  return events.map(({ id }) => id);
}

/** An event in quarantine, which is applied alone. */
export type QuarantinedTrigger = {
  readonly id: string;
  /** Finished attempts, and attempts during which a process died. */
  readonly attempts: number;
  /** Whether the last attempt was counted and never ended. */
  readonly tried: boolean;
};

/** Takes the next due trigger in quarantine; triggers without a crash come first. */
export async function nextQuarantined(uow: UnitOfWork): Promise<QuarantinedTrigger | undefined> {
  const [trigger] = await uow.query<QuarantinedTrigger>(
    `select id, attempts, alone = 'TRIED' as tried from trigger_inbox
      where client_id = $1 and alone is not null and dead_at is null
        and ${isDue('not_before', LONGEST_RETRY_MS)}
      order by alone desc, id limit 1 for update skip locked`,
    [uow.clientId],
  );
  return trigger;
}

/** Counts an attempt before it is made; without a result the event is due again after `retryInMs`. */
export async function countAttempt(uow: UnitOfWork, id: string, retryInMs: number): Promise<void> {
  await uow.query(
    `update trigger_inbox set alone = 'TRIED', attempts = attempts + 1, error_code = $3, error_message = $4,
            not_before = ${ARRIVED} + $5::float8 * interval '1 ms'
      where client_id = $1 and id = $2`,
    [uow.clientId, id, PROCESS_DIED, MESSAGE, retryInMs],
  );
}

/** Cancels an attempt that could not be made although the process lives; the event is due now. */
export async function uncountAttempt(uow: UnitOfWork, id: string, attempts: number): Promise<void> {
  await uow.query(
    `update trigger_inbox set alone = 'WAITING', attempts = $3, not_before = null
      where client_id = $1 and id = $2 and alone = 'TRIED' and attempts = $3 + 1 and dead_at is null`,
    [uow.clientId, id, attempts],
  );
}

/** Makes a trigger in quarantine a dead trigger, with the code and message in its row. */
export async function markDead(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(`update trigger_inbox set dead_at = ${ARRIVED} where client_id = $1 and id = $2`, [uow.clientId, id]);
}

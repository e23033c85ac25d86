import { clientsWith } from '../../clients/client-ids.ts';
import { NIL_UUID } from '../../kernel/ids.ts';
import { MINUTE } from '../../kernel/time/timestamp.ts';
import type { UnitOfWork } from '../../persistence/database.ts';

/** The time after which no transaction is in progress that began under the former target. */
const MARGIN_MS = 5 * MINUTE;

/** The stored state of a mission before the first pass over its accounts. */
export function beforePasses(now: Date) {
  return { reachedDueAt: now, reachedPass: 1, reachedAfterId: null };
}

/** A mission whose target was lowered, and whose accounts are being completed. */
export type ReachedMission = {
  readonly id: string;
  readonly pass: 1 | 2;
  /** The account after which the pass continues. */
  readonly after: string;
};

/** Missions on which events of `$1` count, as far as campaign and dates decide it. */
const IS_OPEN = `(m.starts_at is null or m.starts_at <= $1) and (m.ends_at is null or m.ends_at > $1) and (
  m.campaign_id is null or exists (
    select from campaign o where o.client_id = m.client_id and o.id = m.campaign_id and o.status = 'ACTIVE'
       and (o.starts_at is null or o.starts_at <= $1) and (o.ends_at is null or o.ends_at > $1)))`;

/** The next mission with accounts to complete; undefined without one. */
export async function nextReachedMission(uow: UnitOfWork, now: Date): Promise<string | undefined> {
  const [row] = await uow.query<{ id: string }>(
    `select m.id from mission m where m.client_id = $2 and m.reached_due_at <= $1 and ${IS_OPEN} order by m.id limit 1`,
    [now, uow.clientId],
  );
  return row?.id;
}

/**
 * Locks a mission with accounts to complete until the transaction ends; undefined if another host has just ended its pass. Citus locks rows by
 * statements over one table only, so it is found before.
 */
export async function lockReachedMission(uow: UnitOfWork, id: string, now: Date): Promise<ReachedMission | undefined> {
  const [row] = await uow.query<Pick<ReachedMission, 'id' | 'pass'> & { readonly after: string | null }>(
    `select id, reached_pass as pass, reached_after_id as after from mission
      where client_id = $1 and id = $2 and reached_due_at <= $3 for no key update`,
    [uow.clientId, id, now],
  );
  return row && { ...row, after: row.after ?? NIL_UUID };
}

/** The pass continues after an account. */
export async function continueReached(uow: UnitOfWork, id: string, after: string): Promise<void> {
  await uow.query('update mission set reached_after_id = $3 where client_id = $1 and id = $2', [
    uow.clientId,
    id,
    after,
  ]);
}

/** The pass is done. After the first one, another is due when no transaction is left that began under the former target. */
export async function endReached(
  uow: UnitOfWork,
  { id, pass }: Pick<ReachedMission, 'id' | 'pass'>,
  now: Date,
): Promise<void> {
  await uow.query(
    `update mission set reached_due_at = $3, reached_pass = $4, reached_after_id = null
      where client_id = $1 and id = $2`,
    pass === 1 ? [uow.clientId, id, new Date(now.getTime() + MARGIN_MS), 2] : [uow.clientId, id, null, null],
  );
}

/** The clients with accounts to complete, in a system unit of work. */
export function clientsWithReached(uow: UnitOfWork, now: Date): Promise<string[]> {
  return clientsWith(
    uow,
    `select from mission m where m.client_id = c.id and m.reached_due_at <= $1 and ${IS_OPEN} limit 1`,
    [now],
  );
}

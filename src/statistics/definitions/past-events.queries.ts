import { clientsWith } from '../../clients/client-ids.ts';
import { MINUTE } from '../../kernel/time/timestamp.ts';
import type { UnitOfWork } from '../../persistence/database.ts';

/** The time from the creation of a statistic after which no transaction is in progress that began before it, and so did not count for it. */
const MARGIN_MS = 5 * MINUTE;

/** The stored state of a statistic that counts no past events. */
export const WITHOUT_PAST = { countedSince: null, fillPass: null } as const;

/** The stored state of a statistic before its first pass. @param oldest the time of the journal's oldest entry; undefined without one */
export async function beforePast(uow: UnitOfWork, oldest: Date | undefined, now: Date) {
  const [clock] = await uow.query<{ at: Date }>('select clock_timestamp() as at');
  const fillUntil = new Date(clock!.at.getTime() + MARGIN_MS);
  return { countedSince: oldest ?? now, fillPass: 1, fillUntil, fillDueAt: now };
}

/** A statistic whose past events are being counted. */
export type PastStatistic = {
  readonly id: string;
  readonly code: string;
  readonly programmaticCode: string;
  readonly countedSince: Date;
  /** Events that are recorded later are counted as they come. */
  readonly fillUntil: Date;
  /** 1 for the events that were there at its creation, 2 for those of transactions that were in progress then. */
  readonly fillPass: 1 | 2;
  readonly fillAfterAt: Date | null;
  readonly fillAfterId: string | null;
};

/** The next statistic whose past events are due, locked until the transaction ends; undefined without one. */
export async function lockPastStatistic(uow: UnitOfWork, now: Date): Promise<PastStatistic | undefined> {
  const [row] = await uow.query<PastStatistic>(
    `select id, code, programmatic_code as "programmaticCode", counted_since as "countedSince", fill_until as "fillUntil",
            fill_pass as "fillPass", fill_after_at as "fillAfterAt", fill_after_id as "fillAfterId"
       from statistic_definition where client_id = $1 and fill_pass is not null and fill_due_at <= $2
      order by client_id, id limit 1 for no key update`,
    [uow.clientId, now],
  );
  return row;
}

/** The beginning of a pass. */
export function startOfPass({ fillPass, fillUntil, countedSince }: PastStatistic): Date {
  return fillPass === 1 ? countedSince : new Date(fillUntil.getTime() - 2 * MARGIN_MS);
}

/** The pass continues after a batch. */
export async function continuePast(
  uow: UnitOfWork,
  id: string,
  { recordedAt, id: batchId }: { readonly recordedAt: Date; readonly id: string },
): Promise<void> {
  await uow.query(
    `update statistic_definition set fill_after_at = $3, fill_after_id = $4 where client_id = $1 and id = $2`,
    [uow.clientId, id, recordedAt, batchId],
  );
}

/** The pass is done; another one is due when no transaction is left that began before the creation. @returns whether it was the last one */
export async function endPass(
  uow: UnitOfWork,
  { id, fillPass }: Pick<PastStatistic, 'id' | 'fillPass'>,
  now: Date,
): Promise<boolean> {
  if (fillPass === 1) {
    await uow.query(
      `update statistic_definition set fill_pass = 2, fill_after_at = null, fill_after_id = null, fill_due_at = $3
        where client_id = $1 and id = $2`,
      [uow.clientId, id, new Date(now.getTime() + MARGIN_MS)],
    );
    return false;
  }
  await uow.query(
    `update statistic_definition
        set fill_pass = null, fill_until = null, fill_after_at = null, fill_after_id = null, fill_due_at = null
      where client_id = $1 and id = $2`,
    [uow.clientId, id],
  );
  return true;
}

/** The clients with past events to count, in a system unit of work. */
export function clientsWithPast(uow: UnitOfWork, now: Date): Promise<string[]> {
  return clientsWith(
    uow,
    'select from statistic_definition where client_id = c.id and fill_pass is not null and fill_due_at <= $1 limit 1',
    [now],
  );
}

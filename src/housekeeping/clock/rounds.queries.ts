import { lastUseOfCredentials } from '../../clients/credentials/authenticate.queries.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { isDue } from '../../persistence/moments.ts';
import type { DoubtReason } from './clock-rule.ts';
import { housekeepingRoundTable } from './housekeeping-round.entity.ts';

/** The client of rows that belong to no client. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Milliseconds for which a process's report about the clock is valid. */
export const REPORT_VALID_MS = 300_000;

const ROUND = propertiesOf(housekeepingRoundTable, ['lastRoundAt', 'confirmations', 'waitedMs', 'doubtSince']);

/**
 * SQL for the doubt of any process, null without one; the report of a dead process expires.
 * @param now SQL of the current time
 */
export const doubtOf = (now: string): string =>
  `case when not ${isDue(`doubt_seen_at + interval '${REPORT_VALID_MS} ms'`, REPORT_VALID_MS, now)} then doubt end`;

/** The stored row at one moment. */
export type Round = RowOf<typeof ROUND> & { readonly doubt: DoubtReason | null };

/** Runs work on the row in its own transaction. */
export function onRound<T>(db: Pick<Database, 'unitOfWork'>, work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
  return db.unitOfWork(NOBODY, work);
}

/** PostgreSQL's clock and the row, undefined before the first round. */
export async function readRound(uow: UnitOfWork): Promise<{ now: Date; round: Round | undefined }> {
  const [row] = await uow.query<Round>(
    `select ${ROUND}, ${doubtOf('statement_timestamp()')} as doubt from housekeeping_round where client_id = $1`,
    [NOBODY],
  );
  const [clock] = await uow.query<{ now: Date }>('select clock_timestamp() as now');
  return { now: clock!.now, round: row };
}

/**
 * Creates a missing row, in a new database or one of an older release. The last call shows when the clock was last
 * right.
 */
export async function firstRound(db: Database, now: Date): Promise<void> {
  const lastUse = await db.systemUnitOfWork(lastUseOfCredentials);
  await onRound(db, (uow) =>
    uow.query(
      `insert into housekeeping_round (client_id, last_round_at) values ($1, $2) on conflict (client_id) do nothing`,
      [NOBODY, lastUse ?? now],
    ),
  );
}

/**
 * Stores that a process trusts the clock.
 * @param wasDoubted whether this process had reported the stored doubt too
 */
export async function storeTrusted(uow: UnitOfWork, now: Date, wasDoubted: boolean): Promise<void> {
  await uow.query(
    `update housekeeping_round set last_round_at = $2, waited_ms = 0, waited_at = null,
            doubt = case when $3::boolean then null else doubt end where client_id = $1`,
    [NOBODY, now, wasDoubted],
  );
}

/**
 * Stores that a process distrusts the clock, and adds its waiting time since its last report. The time counts once if several processes
 * wait.
 * @param waitedMs milliseconds by the monotonic clock; undefined if waiting does not help
 */
export async function storeDoubt(
  uow: UnitOfWork,
  reason: DoubtReason,
  { now, waitedMs }: { readonly now: Date; readonly waitedMs: number | undefined },
): Promise<void> {
  const own = '$4::float8';
  await uow.query(
    `update housekeeping_round
        set doubt_since = case when ${doubtOf('$3::timestamptz')} is null then $3 else doubt_since end,
            doubt = $2, doubt_seen_at = $3,
            waited_ms = case when ${own} is null then waited_ms
                             when waited_at is null or waited_at > $3 then waited_ms + ${own}
                             else waited_ms + least(${own}, extract(epoch from $3::timestamptz - waited_at) * 1000) end,
            waited_at = case when ${own} is null then waited_at else $3 end
      where client_id = $1`,
    [NOBODY, reason, now, waitedMs ?? null],
  );
}

/** Stores an operator's confirmation of the clock, and returns the clock's time. Running processes see it at their next reading. */
export async function storeConfirmation(uow: UnitOfWork): Promise<Date> {
  const [row] = await uow.query<{ at: Date }>(
    `insert into housekeeping_round as r (client_id, last_round_at, confirmations) values ($1, statement_timestamp(), 1)
     on conflict (client_id) do update
        set last_round_at = excluded.last_round_at, confirmations = r.confirmations + 1, waited_ms = 0, waited_at = null,
            doubt = null
     returning r.last_round_at as at`,
    [NOBODY],
  );
  return row!.at;
}

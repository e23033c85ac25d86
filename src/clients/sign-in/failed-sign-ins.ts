import { recordFailedSignIns } from '../../audit/record-failed-sign-ins.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { networkOf } from '../credentials/credential-throttle.ts';
import { CLOCK_TOLERANCE_MS } from '../../kernel/time/due.ts';
import { sentence } from '../../kernel/sentence.ts';

const HOUR = 60 * 60_000;

/** Rows per transaction. */
const BATCH = 500;

/** Characters; behind a proxy the address is any text that the proxy wrote. */
const NETWORK_LENGTH = 64;

/**
 * Counts a wrong password, in a unit of work of the user's client. The sent e-mail is not stored, because people type passwords into that
 * field. The first failure of an hour is added to the audit log at once.
 */
export async function noteFailedSignIn(uow: UnitOfWork, userId: string, address: string, now: Date): Promise<void> {
  const network = networkOf(address).slice(0, NETWORK_LENGTH);
  const [row] = await uow.query<{ failures: number }>(
    `insert into failed_sign_in as f (client_id, user_id, network, hour, failures) values ($1, $2, $3, $4, 1)
     on conflict (client_id, user_id, network, hour) do update set failures = f.failures + 1 returning failures`,
    [uow.clientId, userId, network, hourOf(now)],
  );
  if (row?.failures === 1)
    await recordFailedSignIns(uow, { userId, network, note: String(sentence`A wrong password.`) });
}

/** The clients with failed sign-ins of past hours; the nil UUID for unknown e-mails. */
export async function clientsWithFailedSignIns(uow: UnitOfWork, now: Date): Promise<string[]> {
  const rows = await uow.query<{ clientId: string }>(
    `select distinct client_id as "clientId" from failed_sign_in where ${isOver('$1', '$2')}`,
    [hourOf(now), ahead(now)],
  );
  return rows.map(({ clientId }) => clientId);
}

/**
 * Adds the number of failed sign-ins of each past hour to the audit log, if it is more than the one already there.
 * @returns the number of failed sign-ins
 */
export async function reportFailedSignIns(db: Database, clientId: string, now: Date): Promise<number> {
  let total = 0;
  for (let taken = BATCH; taken === BATCH;) {
    const rows = await db.unitOfWork(clientId, (uow) => reportBatch(uow, now));
    taken = rows.length;
    total += rows.reduce((sum, { failures }) => sum + failures, 0);
  }
  return total;
}

type Row = { readonly userId: string; readonly network: string; readonly hour: Date; readonly failures: number };

/** SQL that is true for past hours, and for hours too far in the future, from a clock that was ahead. */
function isOver(present: string, tooFar: string): string {
  return `(hour < ${present} or hour > ${tooFar})`;
}

async function reportBatch(uow: UnitOfWork, now: Date): Promise<Row[]> {
  const rows = await uow.query<Row>(
    `delete from failed_sign_in f using (
       select ctid as row_ctid from failed_sign_in
        where client_id = $1 and ${isOver('$2', '$3')} order by hour limit ${BATCH} for update skip locked) past
      where f.client_id = $1 and f.ctid = past.row_ctid
     returning f.user_id as "userId", f.network, f.hour, f.failures`,
    [uow.clientId, hourOf(now), ahead(now)],
  );
  for (const { userId, network, hour, failures } of rows.filter((row) => row.failures > 1)) {
    const note = String(
      sentence`${failures} wrong passwords in the hour from ${`${hour.toISOString().slice(0, 16)}Z`}.`,
    );
    await recordFailedSignIns(uow, { userId, network, note });
  }
  return rows;
}

/** The latest plausible begin of an hour. */
function ahead(now: Date): Date {
  return new Date(now.getTime() + CLOCK_TOLERANCE_MS);
}

function hourOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / HOUR) * HOUR);
}

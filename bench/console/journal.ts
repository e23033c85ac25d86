import { JournalEntry_Effect as Effect } from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { Uncounted_Reason as Reason } from '../../gen/laurel/v1/uncounted_pb.ts';
import type { Database } from '../../src/persistence/database.ts';
import { accountIdSql } from '../growth/accounts.ts';

/** Entries in one row of the journal, as a busy service writes them. */
const BATCH = 200;

/** Rows of one statement, and statements in parallel. */
const CHUNK = 500;
const AT_ONCE = 2;

/** The codes of events; the first is common, `RARE` is that of one event in a hundred thousand. */
export const CODES = Array.from({ length: 20 }, (_, number) => `EVENT_${number}`);
export const RARE = 'RARE';

/** The share of the first account's events: it has more than the others. */
const HOT = 0.01;

/** The age of the oldest entry in days; the newest are of today. */
const DAYS = 6.9;

/** The size of the wanted journal. */
export type JournalSize = {
  readonly clientId: string;
  readonly accountCount: number;
  readonly entries: number;
  readonly missionId: string;
};

/** The number of an entry in the first batch. */
export const EARLY = 7;

/** The operation id of an entry by its number. */
export function operationIdOf(number: number): string {
  return `order ${number}`;
}

/** Fills the journal in the stored form of the service. The partitions of the days must exist, and the index must be dropped. */
export async function populateJournal(db: Database, size: JournalSize): Promise<void> {
  const batches = Math.ceil(size.entries / BATCH);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < batches) {
      const first = next;
      next = Math.min(batches, first + CHUNK);
      const values = [size.clientId, first, next - 1, batches, size.accountCount, size.missionId];
      await db.systemUnitOfWork((uow) => uow.query(INSERT, values));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const [order, number] of [['', EARLY] as const, ['desc', size.entries - 1] as const])
    await db.systemUnitOfWork((uow) =>
      uow.query(operationOf(order), [size.clientId, operationIdOf(number), number % BATCH]),
    );
}

/**
 * SQL for the operation of an entry in the first or the last batch. Stored operations of other entries are part of the measurement of
 * events.
 */
const operationOf = (order: string) => `
  insert into operation (client_id, id, scope, fingerprint, account_id, created_at)
  select client_id, $2, 'trigger/${CODES[0]}', '', account_ids[$3::int + 1], recorded_at
    from journal_batch where client_id = $1 order by client_id ${order}, recorded_at ${order} limit 1`;

/** SQL for partitions of the days, as the owner of the tables. */
export const PARTITIONS = `do $$ declare day date; begin
  for day in select (now() at time zone 'UTC')::date - ago from generate_series(1, 7) as ago loop
    execute format('create table journal_batch_%s partition of journal_batch for values from (%L) to (%L)',
                   to_char(day, 'YYYYMMDD'), day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
    execute format('alter table journal_batch_%s alter column client_id set (n_distinct = 1)', to_char(day, 'YYYYMMDD'));
  end loop;
end $$`;

const CODE_LIST = `array[${CODES.map((code) => `'${code}'`).join(', ')}]`;

/** The batches with the numbers `$2` to `$3`; the last of the `$4` batches has the present time. */
const INSERT = `
  insert into journal_batch
         (client_id, recorded_at, id, account_ids, programmatic_codes, effects, operation_hashes, mission_ids, entries)
  select $1::uuid, recorded_at, uuidv7(recorded_at - now()), array_agg(account_id order by number),
         (${CODE_LIST}::text[]) || case when bool_or(rare) then array['${RARE}'] else '{}'::text[] end, array_agg(distinct effect::smallint), '{}', array[$6::uuid],
         json_agg(json_build_array(
           0, case when rare then ${CODES.length} else code end, effect,
           operation_id, case when effect = ${Effect.NOTHING} then ${Reason.NOT_IN_AUDIENCE} else 0 end,
           case when effect = ${Effect.NOTHING} then 1 else 0 end,
           case when effect = ${Effect.NOTHING} then '0'::json
                else json_build_object('m', json_build_array(json_build_array(1, number % 100, number % 100 + 1, 100000))) end
         ) order by number)
    from (select batch, number, now() - make_interval(secs => ($4::int - batch) * ${DAYS} * 86400 / $4::int) as recorded_at,
                 case when random() < ${HOT} then ${accountIdSql('0')} else ${accountIdSql('floor(random() * $5::int)')} end as account_id,
                 floor(random() * random() * ${CODES.length})::int as code, number % 100000 = 0 as rare,
                 case when random() < 0.1 then ${Effect.NOTHING} else ${Effect.PROGRESSED} end as effect,
                 'order ' || number as operation_id
            from generate_series($2::int, $3::int) as batch,
                 lateral (select batch::bigint * ${BATCH} + ordinal as number from generate_series(0, ${BATCH - 1}) as ordinal) numbers) entry
   group by batch, recorded_at`;

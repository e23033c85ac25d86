import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { eraseJournal, operationHash } from '../../../src/journal/journal.queries.ts';
import { indexJournal } from '../../../src/journal/maintain-partitions.ts';
import type { JournalQuery } from '../../../src/journal/journal-batches.ts';
import { journalEntries } from '../../../src/journal/read-journal.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
const RARE = '00000000-0000-7000-8000-000000000001';
const COMMON = '00000000-0000-7000-8000-000000000002';
/** The frequency of ids: in each of the latest batches, and rarely before. */
const LATELY = '00000000-0000-7000-8000-000000000003';

/** A client with 60,000 entries in batches of 20, nearly all of one code and half of them of one account, not analysed since. */
beforeAll(async () => {
  service = await startService();
  await service.db.systemUnitOfWork(async (uow) => {
    await uow.query('set local role none');
    await uow.query('alter table journal_batch no force row level security');
    await uow.query(
      `insert into journal_batch (client_id, recorded_at, id, account_ids, programmatic_codes, effects, operation_hashes, entries)
       select $1::uuid, now() - n / 20 * interval '10 s', gen_random_uuid(),
              array_agg(case when n % 20 = 11 and (n < 400 or n % 10000 = 31) then $5::uuid
                             when n % 2 = 0 then $2::uuid when n % 10000 = 1 then $3::uuid else gen_random_uuid() end order by n),
              case when n / 20 % 1000 = 9 then '{RARE,COMMON}' else '{COMMON}'::text[] end,
              array_agg(distinct case when n % 20000 = 7 then 5 else 1 + n % 2 end), array_agg(case n when 59999 then $4::int else n end),
              json_agg(json_build_array(0, case when n / 20 % 1000 = 9 and n % 20 > 0 then 1 else 0 end,
                                        case when n % 20000 = 7 then 5 else 1 + n % 2 end, 'op ' || n, 0, 0, 0) order by n)
         from generate_series(1, 60000) n group by n / 20`,
      [service.clientId, COMMON, RARE, operationHash('op 59999'), LATELY],
    );
    await uow.query('alter table journal_batch force row level security');
  });
}, 60_000);
afterAll(() => service.close());

const QUERIES: readonly (readonly [name: string, query: JournalQuery, rows: number, blocksMax?: number])[] = [
  ['the newest', {}, 51],
  ['of an account with half of all', { accountId: COMMON }, 51],
  ['of an account with a few', { accountId: RARE }, 6],
  ['of an account that was in each of the latest batches', { accountId: LATELY }, 25, 500],
  ['of a code that nearly all have', { programmaticCode: 'COMMON' }, 51],
  ['of a code that hardly any has', { programmaticCode: 'RARE' }, 3],
  ['of one operation', { operationId: 'op 59999' }, 1],
  ['of an effect that hardly any has', { effect: 5 }, 3],
  ['of an effect that many have', { effect: 2 }, 51],
  [
    'a page far behind',
    { accountId: COMMON, after: { recordedAt: new Date(Date.now() - 20_000_000), id: `${newId()}.000` } },
    51,
  ],
];

/** The blocks that a query reads, independent of other load; a page of 50 rows needs 50 and the index pages above them. */
async function blocksOf(query: JournalQuery): Promise<{ blocks: number; rows: number }> {
  return service.db.unitOfWork(service.clientId, async (uow) => {
    let blocks = 0;
    const explaining = {
      clientId: uow.clientId,
      set: (settings: Readonly<Record<string, string>>) => uow.set(settings),
      async query(sql: string, values?: unknown[]) {
        if (!/from journal_(batch|search)/.test(sql)) return uow.query(sql, values);
        type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
        const [row] = await uow.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (analyze, buffers, timing off, format json) ${sql}`,
          values,
        );
        const { Plan: plan } = row!['QUERY PLAN'][0];
        blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        return uow.query(sql, values);
      },
    } as unknown as typeof uow;
    const rows = await journalEntries(explaining, query, 51);
    return { blocks, rows: rows.length };
  });
}

/** The number of entries that wait for the index, and the blocks that a search may read of them beside its page. */
const WHEN = [
  ['while 60,000 entries wait to be indexed', 500],
  ['before it was analysed', 0],
  ['after', 0],
] as const;

test.each(WHEN)('every list reads a page and not the journal, %s', async (when, blocksOfWaiting) => {
  if (when === 'before it was analysed') await service.db.systemUnitOfWork(indexJournal);
  if (when === 'after') {
    await service.db.systemUnitOfWork(async (uow) => {
      await uow.query('set local role none');
      await uow.query('analyze journal_batch');
    });
  }
  for (const [name, query, expected, blocksMax = 400] of QUERIES) {
    const { blocks, rows } = await blocksOf(query);
    expect(rows, name).toBe(expected);
    expect(blocks, name).toBeLessThan(blocksMax + blocksOfWaiting);
  }
});

test('all entries of an account are erased, in whatever day they are', async () => {
  await service.db.unitOfWork(service.clientId, async (uow) => {
    while (await eraseJournal(uow, RARE));
  });
  const left = await service.db.unitOfWork(service.clientId, (uow) => journalEntries(uow, { accountId: RARE }, 10));
  expect(left).toEqual([]);
});

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/persistence/migrate.ts';
import { filters } from '../contract/support/contract-service.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;

const NAMES = [
  'ΟΔΟΣ',
  'οδος',
  'οδοσ',
  'İSTANBUL',
  'istanbul',
  'İstanbul',
  'GROẞ',
  'groß',
  'gross',
  'ﬁx',
  'fix',
  'ſauſ',
  'SAUS',
];

beforeAll(async () => {
  service = await startService();
  for (const name of NAMES) await service.rest('POST', '/accounts', { name });
});
afterAll(() => service.close());

async function found(name: string, field = 'name'): Promise<string[]> {
  const { body } = await service.rest('GET', `/accounts/paginated?page=1&limit=100&filters=${filters([field, name])}`);
  return body.rows.map((row: Record<string, string>) => row[field]).toSorted();
}

describe('a search for part of a text', () => {
  test.each([
    [['ΟΔΟΣ', 'οδος', 'οδοσ'], 'a sigma, at the end of a word or not'],
    [['İSTANBUL', 'İstanbul', 'istanbul'], 'an i with or without its dot'],
    [['GROẞ', 'groß'], 'a sharp s, which is not two of them'],
    [['gross'], 'two of them, which are not one sharp s'],
    [['fix'], 'letters, which are no ligature'],
    [['ﬁx'], 'a ligature, which is no letters'],
    [['SAUS', 'ſauſ'], 'a long s'],
  ])('finds %j by each of them: %s', async (names) => {
    for (const name of names) expect(await found(name), name).toEqual(names.toSorted());
  });

  test('finds a final sigma in the middle of what is looked for', async () => {
    await service.rest('POST', '/accounts', { name: 'Οδός Αθηνάς' });
    expect(await found('ΟΔΌΣ ΑΘ')).toEqual(['Οδός Αθηνάς']);
    expect(await found('ΑΘΗΝΆΣ')).toEqual(['Οδός Αθηνάς']);
  });
});

async function sought(text: string): Promise<string[]> {
  const { body } = await service.rest('GET', `/accounts/paginated?page=1&limit=100&search=${encodeURIComponent(text)}`);
  return body.rows.map((row: Record<string, string>) => row['name']).toSorted();
}

describe('the search box', () => {
  const called = ['Ñandú', 'nandu', 'Łódź', 'Nguyễn', 'Jørgen', 'Čapek', 'Привет, Алёна', '김민준'];

  test.each([
    ['nandu', ['Ñandú', 'nandu']],
    ['ÑANDÚ', ['Ñandú', 'nandu']],
    ['lodz', ['Łódź']],
    ['Nguyen', ['Nguyễn']],
    ['jorgen', ['Jørgen']],
    ['capek', ['Čapek']],
    ['алена', ['Привет, Алёна']],
    ['김민', ['김민준']],
    ['기', []],
  ])('finds by %j %j, with accents or without', async (text, names) => {
    if ((await sought('Čapek')).length === 0) {
      for (const name of called) await service.rest('POST', '/accounts', { name });
    }
    expect(await sought(text)).toEqual(names.toSorted());
  });

  test('is wider than a filter, which takes letters with accents for others', async () => {
    for (const name of ['José', 'Jose']) await service.rest('POST', '/accounts', { name });
    expect(await found('jose')).toEqual(['Jose']);
    expect(await found('JOSÉ')).toEqual(['José']);
    expect(await sought('jose')).toEqual(['Jose', 'José']);
  });
});

/**
 * Searches by the index, on a connection of the service: rows with another index key are not found. In a database without a locale, only
 * texts with Latin letters use the index.
 */
function foundByIndex(clientId: string, text: string): Promise<string[]> {
  return service.db.unitOfWork(clientId, async (uow) => {
    const sql = `select name from account_search where client_id = '${clientId}' and folded(name) like folded('%${text}%')`;
    await uow.query('set local enable_seqscan = off');
    expect(JSON.stringify(await uow.query(`explain ${sql}`))).toContain('account_name_search');
    const rows = await uow.query<{ name: string }>(`${sql} order by name collate "C"`);
    return rows.map(({ name }) => name);
  });
}

test('names that were there before the rule changed are found by it, through the index', async () => {
  const { clientId } = await service.newTenant();
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    await client.query(foldedBefore);
    await client.query('alter index account_name_search rename to renamed');
    await client.query('alter index renamed rename to account_name_search');
    await client.query('set role laurel_system');
    await client.query(`insert into account (client_id, id, name) select $1, gen_random_uuid(), unnest($2::text[])`, [
      clientId,
      [...NAMES, 'Somebody else', ...Array.from({ length: 5_000 }, (_, number) => `Person ${number}`)],
    ]);
    await client.query('reset role');
    await client.query('vacuum analyze account');
    expect(await foundByIndex(clientId, 'SAUS')).toEqual(['SAUS']);
    await client.query(`delete from migration where name like '%-search-folding' or name like '%-search-accents'`);
    expect(await migrate(service.databaseUrl)).toHaveLength(2);
    expect(await foundByIndex(clientId, 'SAUS')).toEqual(['SAUS', 'ſauſ']);
    expect(await foundByIndex(clientId, 'body')).toEqual(['Somebody else']);
  } finally {
    await client.end();
  }
});

/** The index of the first release. */
const foldedBefore = `do $$ begin execute format(
  'create or replace function folded(text) returns text language sql immutable strict parallel safe as %L',
  case when current_setting('server_version_num')::int >= 170000
    then 'select lower($1 collate "pg_c_utf8")' else 'select lower($1 collate "und-x-icu")' end); end $$;`;

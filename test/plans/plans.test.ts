import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { closeNodes, startNodes } from '../properties/world.ts';
import { callEverything, play, workInTheBackground } from './drive.ts';
import { refusedShapes } from './distributed.ts';
import { inWords, judge } from './explain.ts';
import { fillSkewed, openToRows, readIndexes, sortByClient } from './hostile.ts';
import type { Index } from './judge.ts';
import { sendWhatIsRare } from './rare.ts';
import { recordStatements, type Recorder, type Statement } from './statements.ts';

let recorder: Recorder;
/** The statements that run per call, event, message or row, and in the rounds of the background. */
let judged: readonly Statement[];
let database: TestDatabase;
let owner: pg.Client;
let indexes: readonly Index[];

/**
 * Files below `src`, or the beginnings of their names, whose statements are not judged. They are planned for their actual values each time,
 * or an operator runs them rarely, such as the counts of a whole campaign. The last one reads console users: a client has a few, and two
 * concurrent wrong passwords must both be counted.
 */
const NOT_JUDGED = [
  'persistence/lists',
  'campaigns/statistics/funnel',
  'campaigns/statistics/campaign-effect',
  'campaigns/statistics/campaign-series',
  'campaigns/statistics/reached-count',
  'webhooks/outbox/resend',
  'audiences/members',
  'journal/journal-batches',
  'clients/sign-in/sign-in',
];

/**
 * Statements that filter a short list: the few publications of a client, by agreement; the memberships of an account, by audience; the
 * assignments of an account, by many missions; the statistics of a client, at most 100, and its missions.
 */
const OF_FEW =
  /update publication p set reserved|delete from audience_member|period_key = any\(\$3::text\[\]\) and mission_id = any|update statistic_definition\s+set fill_|update mission\s+set reached_|from mission\s+where client_id = \$1 and id = \$2 and reached_due_at/;

beforeAll(async () => {
  recorder = recordStatements();
  const nodes = await startNodes('2027-06-01T12:00:00Z');
  await callEverything(nodes.service);
  await play(nodes, 60);
  await workInTheBackground(nodes.service);
  await sendWhatIsRare(nodes.service.db, nodes.service.clientId);
  await closeNodes(nodes);
  recorder.stop();
  judged = recorder
    .statements()
    .filter(
      ({ file, role, text }) =>
        role === 'laurel_app' && !NOT_JUDGED.some((path) => file.startsWith(path)) && !OF_FEW.test(text),
    );
  database = await testDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  indexes = await readIndexes(owner);
}, 120_000);
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** The number of calls of a statement in each module, by its file below `src`. */
async function callsByFile(): Promise<Map<string, number>> {
  const calls = new Map<string, number>();
  for await (const file of glob('**/*.ts', { cwd: SOURCE })) {
    const text = await readFile(join(SOURCE, file), 'utf8');
    const count = text.match(/\.query(?=[<(])/g)?.length ?? 0;
    if (count > 0 && !NO_MODULE.test(file)) calls.set(file, count);
  }
  return calls;
}

const SOURCE = join(import.meta.dirname, '../../src');

/** Modules that carry statements, or send them on separate connections. */
const NO_MODULE = /^(persistence|commands)\//;

/**
 * Sign-ins, verification by operators, savepoints, a count that needs 10,000 accounts, rotation of keys, commands and the chain of the
 * audit log, the webhooks of a simulation, and the journal's rare statements.
 */
const UNSEEN =
  /^(housekeeping\/clock|clients\/(sessions|sign-in|users|client-ids|credentials|second-factor|account-tokens)|audit\/(chain|record-command)|journal\/(read-journal|journal-batches)|webhooks\/outbox\/enqueued-requests|[\w/-]+\/verify-|accounts\/([\w-]+\/)?(resolve|load|lock|count)-|(alerts|webhooks\/configuration)\/reseal)/;

test('every statement of every module was seen', async () => {
  const seen = Map.groupBy(recorder.statements(), ({ file }) => file);
  const lines = (file: string) => new Set(seen.get(file)?.map(({ line }) => line)).size;
  const unseen = [...(await callsByFile())].flatMap(([file, count]) =>
    lines(file) < count ? [`${file}: ${count - lines(file)}`] : [],
  );
  expect(
    unseen.filter((file) => !UNSEEN.test(file)).toSorted(),
    'Have test/plans/drive.ts or rare.ts send them, or say in UNSEEN why not.',
  ).toEqual([]);
});

test('no statement has a shape that a database on several nodes refuses', () => {
  expect(refusedShapes(recorder.statements()).join('\n\n')).toBe('');
});

/** Earlier shapes, by their fault. */
const REFUSED: readonly (readonly [string, RegExp])[] = [
  [`select set_config('lock_timeout', $1, true)`, /uow\.set/],
  [`with recursive w as (select client_id from trigger_inbox) select client_id from w`, /recursive/],
  [
    `select c.* from unnest($1::uuid[]) as w(id) left join lateral (select from credential where client_id = id) c on true`,
    /several nodes/,
  ],
  [`update csv_import set lease_until = clock_timestamp() + $3 * interval '1 ms' where client_id = $1`, /ARRIVED/],
  [`delete from operation_refusal where client_id = $1 and refused_at < clock_timestamp()`, /ARRIVED/],
  [
    `update publication set status_changed_at = greatest($2, status_changed_at + interval '1 millisecond') where client_id = $1`,
    /`after`/,
  ],
  [`update csv_import set started_at = coalesce(started_at, statement_timestamp()) where client_id = $1`, /COALESCE/],
  [`update trigger_inbox set dead_at = case when $2 then now() end where client_id = $1`, /CASE/],
  [
    `delete from webhook_retry r using (select k.row_ctid, case when k.at <= now() then 'OVER' end as verdict from k) s
      where r.client_id = $1 and r.ctid = s.row_ctid and s.verdict = 'OVER'`,
    /in WHERE/,
  ],
  [`delete from trigger_inbox where client_id = $1 and account_id = case id_type when 'X' then $2 end`, /each WHEN/],
  [`update webhook_retry set attempts = 1 where client_id = $1 returning lease_until > now() as sending`, /RETURNING/],
  [`insert into operation (client_id, id) select $1::uuid, o.id from unnest($2::text[]) as o(id)`, /`CLIENT_ROW`/],
  [
    `insert into point_balance (client_id) select $1, b.* from unnest($2::uuid[]) as b on conflict do nothing`,
    /`CLIENT_ROW`/,
  ],
  [
    `with gone as (delete from outbox_message where client_id = $1 returning id) insert into webhook_delivery select c.client_id from client`,
    /behind WITH/,
  ],
  [
    `insert into alert_channel as c (client_id, kind) values ($1, $2) on conflict (client_id, kind) do update set lease_id = null
      where c.lease_until > $5::timestamptz + interval '1 ms'`,
    /in code/,
  ],
  [
    `insert into outbox_message (client_id, id) select c.client_id, m.id from client c join m on true returning id`,
    /ambiguous/,
  ],
];

test.each(REFUSED)('%s is reported as refused by several nodes', (text, words) => {
  const role = /recursive|lateral/.test(text) ? 'laurel_system' : 'laurel_app';
  expect(refusedShapes([{ text, role, file: 'a module', line: '' }])).toContainEqual(expect.stringMatching(words));
});

const verdicts = () => judge(owner, judged, recorder.begins, indexes);

/** In this order: each adds to the rows of the previous ones. */
const STATISTICS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['there are no statistics', async () => {}],
  ['the tables were empty when they were analysed', () => owner.query('vacuum analyze')],
  ['a few rows have come since', () => openToRows(owner).then(() => fillSkewed(owner, 100))],
  ['hundreds of rows have come since', () => fillSkewed(owner, 20, 100)],
  ['thousands of rows have come since', () => fillSkewed(owner, 4, 20)],
  ['the tables were filled since', () => fillSkewed(owner, 1, 4)],
  ['there are one large client and many small ones', () => owner.query('analyze')],
  ['they were loaded client by client', () => sortByClient(owner).then(() => owner.query('analyze'))],
];

test.each(NOT_JUDGED)('%s, which is not judged, has a statement', (path) => {
  expect(recorder.statements().some(({ file }) => file.startsWith(path))).toBe(true);
});

describe.each(STATISTICS)('where %s', (_name, plant) => {
  test('every statement looks up what it names', { timeout: 60_000 }, async () => {
    await plant();
    expect(inWords(await verdicts())).toBe('');
  });
});

test('every table of clients is planned for its largest client', async () => {
  const { rows } = await owner.query<{ table: string }>(
    `select c.relname as table from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'client_id'
        and not coalesce('n_distinct=1' = any(a.attoptions), false)`,
  );
  const advice = 'A migration that adds a table says: alter table ... alter column client_id set (n_distinct = 1).';
  expect(
    rows.map(({ table }) => table),
    advice,
  ).toEqual([]);
});

/** Earlier forms, or similar ones, by their fault in a world of one large client and many small ones. */
const BAD: readonly (readonly [string, string])[] = [
  [
    'any of an array',
    `select id from assignment where client_id = $1 and account_id = any($2::uuid[]) and mission_id = any($3::uuid[])
        and period_key = any($4::text[])`,
  ],
  [
    'a join with unnest',
    `select r.id from unnest($2::uuid[]) as wanted(id) join redemption r on r.client_id = $1 and r.id = wanted.id`,
  ],
  [
    'a lateral sub-query without a limit, which PostgreSQL makes a join',
    `select r.id from unnest($2::uuid[]) as wanted(id)
      cross join lateral (select * from redemption where client_id = $1 and id = wanted.id) r`,
  ],
  [
    'a condition that no index knows',
    `select id from reward where client_id = $1 and (id = any($2::uuid[])) is not false`,
  ],
  [
    'an update by unnest',
    `update earned_reward e set status = 'DELIVERED' from unnest($2::uuid[]) as d(id) where e.client_id = $1 and e.id = d.id`,
  ],
];

describe('where nothing says which client to plan for', () => {
  beforeAll(async () => {
    const { rows } = await owner.query<{ reset: string }>(
      `select format('alter table %I alter column client_id reset (n_distinct)', c.relname) as reset
         from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'client_id'`,
    );
    for (const { reset } of rows) await owner.query(reset);
    await owner.query('analyze');
  }, 60_000);

  test.each(BAD)('%s is reported as bad', async (_name, text) => {
    const statement = { text, role: 'laurel_app', file: 'a module', line: '' } as const;
    expect(await judge(owner, [statement], recorder.begins, indexes)).toEqual([
      { file: 'a module', text, faults: [expect.stringMatching(/is filtered|the whole client is read/)] },
    ]);
  });
});

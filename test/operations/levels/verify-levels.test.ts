// `laurel verify` names each number of a level that somebody changed behind the service's back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';

type Json = RestAnswer['body'];

let service: TestService;
const tracks: Record<string, string> = {};

beforeAll(async () => {
  service = await startService();
  await ok('POST', '/admin/event-definitions', { programmaticCode: 'SALE', type: 'AMOUNT' });
  await ok('POST', '/admin/statistic-definitions', {
    statisticDefinition: { code: 'spent', programmaticCode: 'SALE', aggregation: 'SUM', period: 'ALL_TIME' },
  });
  const levels = ['none', 'silver', 'gold', 'black'].map((code, number) => ({ code, threshold: number * 100 }));
  for (const [code, fields] of [
    ['kept', {}],
    ['reviewed', { downgrade: 'ONE', holdDays: 30, atRiskDays: 7 }],
  ] as const) {
    const track = await ok('POST', '/admin/level-tracks', {
      levelTrack: { ...{ code, statisticCode: 'spent', levels }, ...fields },
    });
    tracks[code] = track.id;
  }
  for (const amount of [50, 200])
    await ok('POST', '/gamification/triggers', {
      ...{ programmaticCode: 'SALE', accountId: 'ada', idType: 'EXTERNAL', metadata: { amount } },
    });
});
afterAll(() => service.close());

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

const found = async () =>
  (await differences(service.db, service.clientId)).map(({ subject, id, stored, recomputed }) => {
    return { subject, track: id.split(' ').at(-1), stored, recomputed };
  });

/** The differences while a track's level of the account is changed. */
async function foundWith(change: string, track: string) {
  const sql = (set: string) => `update account_level set ${set} where client_id = $1 and track_id = $2`;
  const run = (text: string, values: unknown[] = []) =>
    service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<Json>(text, [service.clientId, tracks[track], ...values]),
    );
  const columns = 'code, held_value, review_at, next_step_at, paid, is_warned';
  const [before] = await run(`select ${columns} from account_level where client_id = $1 and track_id = $2`);
  await run(sql(change));
  const differing = await found();
  await run(
    sql('code = $3, held_value = $4, review_at = $5, next_step_at = $6, paid = $7::text[], is_warned = $8'),
    columns.split(', ').map((name) => before[name]),
  );
  expect(await found()).toEqual([]);
  return differing;
}

test('levels as events left them have no difference', async () => {
  expect(await found()).toEqual([]);
});

test.each([
  ['a held value below the values', 'kept', 'held_value = 150', [['held_value', '150.0000', '250.0000']]],
  ['no held value', 'kept', 'held_value = null', [['held_value', 'none', '250.0000']]],
  ['an announced level below the held value', 'kept', `code = 'silver'`, [['code', 'silver', 'gold']]],
  ['no announced level', 'reviewed', 'code = null', [['code', 'none', 'gold']]],
  [
    'a paid level that is missing, so that it would be paid again',
    'kept',
    `paid = '{none,gold}'`,
    // Found in the state, and by the journal.
    Array.from({ length: 2 }, () => ['paid', 'none gold', 'none silver gold']),
  ],
  [
    'a level that counts as paid and was never announced',
    'kept',
    `paid = paid || '{black}'`,
    [['paid', 'none silver gold black', 'none silver gold']],
  ],
  [
    'a level that the account got for nothing',
    'kept',
    `code = 'black', held_value = 900`,
    [['paid', 'none silver gold', 'none silver gold black']],
  ],
  [
    'a review of a level that stays',
    'kept',
    `review_at = '2030-01-01', next_step_at = '2030-01-01'`,
    [['review_at', expect.stringContaining('2030-01-01'), 'never']],
  ],
  [
    'a next step that will never come',
    'reviewed',
    'next_step_at = null',
    [['next_step_at', 'never', expect.any(String)]],
  ],
  [
    'a warning that was given, with its time',
    'reviewed',
    'is_warned = true',
    [['next_step_at', expect.any(String), expect.any(String)]],
  ],
])('verify names %s', async (_title, track, change, expected) => {
  expect(await foundWith(change, track)).toEqual(
    expected.map(([column, stored, recomputed]) => {
      return { subject: `account_level.${column}`, track: tracks[track], stored, recomputed };
    }),
  );
});

test('verify names a level whose row is gone, by the journal', async () => {
  const rows = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<Json>('delete from account_level where client_id = $1 and track_id = $2 returning *', [
      service.clientId,
      tracks['kept'],
    ]),
  );
  expect(rows).toHaveLength(1);
  expect(await found()).toEqual([
    { subject: 'account_level.paid', track: tracks['kept'], stored: '', recomputed: 'none silver gold' },
  ]);
});

// Files of values of statistics.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { differences } from '../rewards/provision.ts';
import { startService, type TestService } from '../../support/service.ts';
import { load, refusals } from './files.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
  await ok('POST', '/admin/event-definitions', { programmaticCode: 'ORDER', type: 'AMOUNT' });
  for (const [aggregation, period] of [
    ['SUM', 'ALL_TIME'],
    ['MAX', 'ALL_TIME'],
    ['DAYS', 'MONTH'],
  ]) {
    await ok('POST', '/admin/statistic-definitions', {
      statisticDefinition: { code: `${aggregation}`.toLowerCase(), programmaticCode: 'ORDER', aggregation, period },
    });
  }
  for (const externalId of ['ada', 'ben', 'cyd']) await ok('POST', '/accounts', { externalId });
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
async function ok(method: string, path: string, body?: object): Promise<any> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

const valueOf = async (account: string, code: string, query = ''): Promise<number | undefined> => {
  const { rows } = await ok('GET', `/v1/accounts/${account}/statistics?idType=EXTERNAL${query}`);
  return rows.find((row: { code: string }) => row.code === code)?.value;
};
const send = (accountId: string, amount: number) =>
  ok('POST', '/gamification/triggers', {
    ...{ programmaticCode: 'ORDER', accountId, idType: 'EXTERNAL', metadata: { amount } },
  });
const loaded = (file: string) => load(service, file, { type: 'STATISTICS', fileName: 'values.csv' });

test('a file sets values, events move them on from there, and the same file once more changes nothing', async () => {
  await send('ada', 5);
  const file = 'externalId,statistic,value\nada,sum,1250.5\nada,max,40\nben,sum,7\ncyd,days,3\n';
  expect(await loaded(file)).toMatchObject({ status: 'DONE', rowsUpdated: 4, rowsUnchanged: 0, rowsRefused: 0 });
  expect([await valueOf('ada', 'sum'), await valueOf('ada', 'max'), await valueOf('cyd', 'days')]).toEqual([
    1250.5, 40, 3,
  ]);
  expect(await loaded(file)).toMatchObject({ rowsUpdated: 0, rowsUnchanged: 4 });
  await send('ada', 10);
  await send('ben', 10);
  await send('cyd', 10);
  expect([await valueOf('ada', 'sum'), await valueOf('ada', 'max'), await valueOf('ben', 'sum')]).toEqual([
    1260.5, 40, 17,
  ]);
  expect(await valueOf('cyd', 'days')).toBe(4);
});

test('a value goes into the period of its row', async () => {
  const date = new Date();
  const before = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
  const now = await valueOf('ben', 'days');
  await loaded(`externalId,statistic,value,period\nben,days,12,${before}\n`);
  expect([await valueOf('ben', 'days', '&period=PREVIOUS'), await valueOf('ben', 'days')]).toEqual([12, now]);
});

test('a merged account is found by its former id', async () => {
  await ok('POST', '/accounts', { externalId: 'ada-guest' });
  await ok('POST', '/accounts/ada-guest/merge', { intoAccountId: 'ada', idType: 'EXTERNAL', progress: 'SUM' });
  await loaded('externalId,statistic,value\nada-guest,sum,99\n');
  expect(await valueOf('ada', 'sum')).toBe(99);
});

test('a row that cannot be applied is refused with the reason, and its neighbours are applied', async () => {
  const file = [
    'externalId,statistic,value,period',
    'nobody,sum,1,',
    'ben,nothing,1,',
    'ben,sum,one,',
    'ada,max,0.00001,',
    'ben,max,1,2026-01',
    'cyd,days,1,2999-01',
    'cyd,sum,8,',
    'cyd,sum,9,',
  ].join('\n');
  const { id, ...report } = await loaded(`${file}\n`);
  expect(report).toMatchObject({ status: 'DONE', rowsUpdated: 1, rowsRefused: 7 });
  const reasons = (await refusals(service, id)).map(([line, , reason]) => [line, reason]);
  expect(reasons).toEqual([
    ['2', 'No account has this externalId. Load a file of accounts first.'],
    ['3', "There is no statistic 'nothing'."],
    ['4', expect.stringContaining("'one' is not.")],
    ['5', expect.stringContaining('at most 4 decimals')],
    ['6', '`period` is for statistics with periods: leave it out for one of all time.'],
    ['7', '`period` is in the future: name a period that has begun.'],
    ['9', expect.stringContaining('stands in line 8 already')],
  ]);
  expect(await valueOf('cyd', 'sum')).toBe(8);
});

test('fields of other types are refused', async () => {
  const create = (fields: object) =>
    service.rest('POST', '/admin/imports', { type: 'STATISTICS', fileName: 'values.csv', ...fields });
  for (const fields of [{ audienceId: crypto.randomUUID() }, { productId: crypto.randomUUID() }, { dryRun: true }])
    expect(await create(fields)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

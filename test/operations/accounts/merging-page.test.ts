import { pageTables } from '../../support/page-tables.ts';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';

const page = readFileSync(new URL('../../../docs/merging.md', import.meta.url), 'utf8');

type Json = RestAnswer['body'];

/** The tables of progress: their heads, and the rows with the accounts, the outcome of MAX and that of SUM. */
const tables = pageTables(page)
  .filter(([columns]) => columns!.includes('SUM'))
  .map(([columns, , ...rows]) => ({ head: columns![0]!, rows }));

const startsAt = new Date(Date.now() - 5 * 86_400_000).toISOString();

/** The mission of a table, by its head. A table without one here fails. */
const missions: Readonly<Record<string, Json>> = {
  'Mission of 10': { target: 10 },
  'Mission of 10 with `repeat`': { target: 10, repeat: {} },
  'Mission of 100 with `maxPerPeriod` 5 a day': { target: 100, conditions: { maxPerPeriod: 5 }, period: 'DAY' },
  'STREAK of 3 days, 5 a day': { type: 'STREAK', target: 3, period: 'DAY', perPeriodTarget: 5, startsAt },
  'ROUTINE of 5 a day': { type: 'ROUTINE', target: 5, period: 'DAY' },
};

let service: TestService;
let audienceId = '';

beforeAll(async () => {
  service = await startService();
  audienceId = (await ok('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' }))['id'];
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

test('every table of progress has a mission here, and every mission a table', () => {
  expect(tables.map(({ head }) => head)).toEqual(Object.keys(missions));
});

test.each(tables)('the table "$head" is what the service does', async ({ head, rows }) => {
  const programmaticCode = head.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const mission = { type: 'MISSION', name: head, programmaticCode, ...missions[head] };
  await ok('POST', '/admin/missions', { audienceId, mission });
  for (const [index, [accounts, max, sum]] of rows.entries()) {
    for (const [progress, expected] of [
      ['MAX', max],
      ['SUM', sum],
    ] as const) {
      const nameOf = (letter: string) => `${letter} ${index} ${progress} ${head}`;
      for (const letter of ['A', 'B']) await ok('POST', '/accounts', { externalId: nameOf(letter) });
      for (const part of accounts!.split(', ')) {
        const [, letter, day, amount] = /^([AB]) ?(yesterday)?: (\d+)$/.exec(part)!;
        await ok('POST', '/gamification/triggers', {
          ...{ programmaticCode, accountId: nameOf(letter!), idType: 'EXTERNAL', metadata: { amount: Number(amount) } },
          // Less than 24 hours ago.
          ...(day && { occurredAt: new Date(Date.now() - 86_400_000 + 5_000).toISOString() }),
        });
      }
      const body = { intoAccountId: nameOf('B'), idType: 'EXTERNAL', progress };
      await ok('POST', `/accounts/${encodeURIComponent(nameOf('A'))}/merge`, body);
      const query = `${encodeURIComponent(nameOf('B'))}?idType=EXTERNAL`;
      const [open] = await ok('GET', `/v1/gamification/missions/progress/${query}`);
      const [shown = open] = await ok('GET', `/v1/gamification/missions/completed/${query}`);
      expect([accounts, progress, `${shown?.progress} ${shown?.status}`]).toEqual([accounts, progress, expected]);
    }
  }
});

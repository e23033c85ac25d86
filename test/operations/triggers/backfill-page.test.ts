import { pageTables } from '../../support/page-tables.ts';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';

const page = readFileSync(new URL('../../../docs/backfill.md', import.meta.url), 'utf8');

/** A table of the page whose rows are steps: its rows by the heads of their columns. */
type Table = { readonly head: string; readonly columns: readonly string[]; readonly rows: readonly string[][] };

const tables = pageTables(page)
  .map(([columns = [], , ...rows]): Table => ({ head: columns[0]!, columns, rows }))
  .filter(({ columns }) => columns.includes('Why'));

type Json = RestAnswer['body'];

const DAY_MS = 86_400_000;

/** Day 0 of the tables, at noon. Its days are past, so that the clock of the service may be set to them. */
const BEGIN = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), new Date().getUTCDate() - 12, 12);

/** The noon of a day. */
const noonOf = (day: number) => BEGIN + day * DAY_MS;
const midnightOf = (day: number) => new Date(noonOf(day) - DAY_MS / 2).toISOString();

/** The mission of a table, by its head. A table without one here fails. */
const missions: Readonly<Record<string, Json>> = {
  'MISSION of 3 from day 3 to day 8': { target: 3, startsAt: midnightOf(3), endsAt: midnightOf(8) },
  'CHALLENGE of 3 in 2 days': { type: 'CHALLENGE', target: 3, durationDays: 2 },
  'MISSION of 9, at most 2 a day': { target: 9, period: 'DAY', conditions: { maxPerPeriod: 2 } },
  'ROUTINE of 2 a day, 2 times': { type: 'ROUTINE', target: 2, period: 'DAY', occurrences: 2 },
  'STREAK of 4 days': { type: 'STREAK', target: 4, period: 'DAY' },
  'STREAK of 9 days, after an outage': { type: 'STREAK', target: 9, period: 'DAY' },
};

let service: TestService;
let audienceId = '';
let now = noonOf(0);

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now) });
  audienceId = (await ok('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' }))['id'];
  const client = await ok('GET', `/admin/clients/${service.clientId}`);
  await ok('PUT', `/admin/clients/${service.clientId}`, { ...writable(client), backfillDaysMax: 30 });
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

const writable = ({ version, name, timeZone }: Json) => ({ version, name, timeZone });

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

test('every table of steps has a mission here, and every mission a table', () => {
  expect(tables.map(({ head }) => head)).toEqual(Object.keys(missions));
});

test.each(tables)('the table "$head" is what the service does', async ({ head, columns, rows }) => {
  now = noonOf(0);
  const programmaticCode = head.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'SINGLE' });
  const mission = { type: 'MISSION', name: head, programmaticCode, ...missions[head] };
  const { id: missionId } = await ok('POST', '/admin/missions', { audienceId, mission });
  expect(missionId).toBeTypeOf('string');
  const account = { accountId: `shopper of ${head}`, idType: 'EXTERNAL' };

  for (const [text, ...cells] of rows) {
    const [, day, backfilled] = /^day (\d+): (?:event|backfill (\d+))$/.exec(text!) ?? [];
    expect(day, text).toBeDefined();
    now = noonOf(Number(day)) + 60_000;
    if (backfilled === undefined) {
      await ok('POST', '/gamification/triggers', { programmaticCode, ...account });
    } else {
      const occurredAt = new Date(noonOf(Number(backfilled))).toISOString();
      const triggers = [{ programmaticCode, ...account, occurredAt }];
      const rehearsed = await ok('POST', '/gamification/triggers/backfill', { triggers, dryRun: true });
      const { results, summary } = await ok('POST', '/gamification/triggers/backfill', { triggers });
      expect(results[0].error).toBeUndefined();
      expect(rehearsed['summary']).toEqual(summary);
      const isTooLate = /TOO_LATE/.test(cells.at(-1)!);
      expect(results[0].result.tooLateMissionIds ?? [], text).toEqual(isTooLate ? [missionId] : []);
      expect(summary.tooLate).toBe(isTooLate ? 1 : 0);
    }
    expect([text, ...(await shown())]).toEqual([text, ...cells.slice(0, -1)]);
  }

  async function shown(): Promise<string[]> {
    const shopper = encodeURIComponent(account.accountId);
    const filters = encodeURIComponent(
      JSON.stringify({ filters: [{ field: 'status', value: ['ACTIVE', 'COMPLETED', 'EXPIRED'] }] }),
    );
    const feed = (await ok('GET', `/v1/feed/account/${shopper}?idType=EXTERNAL&filters=${filters}`)) as Json[];
    const completed = await ok('GET', `/v1/gamification/missions/completed/${shopper}?idType=EXTERNAL`);
    const item = feed.find((each) => each['missionId'] === missionId);
    const values: Json = {
      Progress: item?.['progress'],
      Status: item?.['status'],
      'Completed days': (completed as Json[]).filter((each) => each['missionId'] === missionId).length,
    };
    return columns.slice(1, -1).map((column) => `${values[column]}`);
  }
});

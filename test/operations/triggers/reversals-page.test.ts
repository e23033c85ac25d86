import { pageTables } from '../../support/page-tables.ts';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences, newProduct, setPrice } from '../rewards/provision.ts';

const page = readFileSync(new URL('../../../docs/reversals.md', import.meta.url), 'utf8');

/** A table of the page whose rows are steps: its rows by the heads of their columns. */
type Table = { readonly head: string; readonly columns: readonly string[]; readonly rows: readonly string[][] };

const tables = pageTables(page)
  .map(([columns = [], , ...rows]): Table => ({ head: columns[0]!, columns, rows }))
  .filter(({ columns }) => columns.includes('Why'));

type Json = RestAnswer['body'];

const startsAt = new Date(Date.now() - 5 * 86_400_000).toISOString();

/** The mission of a table, by its head. A table without one here fails. */
const missions: Readonly<Record<string, () => Promise<Json>>> = {
  'Mission of 10': async () => ({ target: 10 }),
  'Mission of 10 with `repeat`': async () => ({ target: 10, repeat: {} }),
  'Mission of 100 with `maxPerPeriod` 5 a day': async () => ({
    target: 100,
    conditions: { maxPerPeriod: 5 },
    period: 'DAY',
  }),
  'Mission of 3 with `counts` EVENTS': async () => ({ target: 3, counts: 'EVENTS' }),
  'STREAK of 2 days, 5 a day': async () => ({ type: 'STREAK', target: 2, period: 'DAY', perPeriodTarget: 5, startsAt }),
  'ROUTINE of 5 a day': async () => ({ type: 'ROUTINE', target: 5, period: 'DAY' }),
  'STREAK of 3 days, 5 a day, STRICT': async () => ({
    ...{ type: 'STREAK', target: 3, period: 'DAY', perPeriodTarget: 5, onReversal: 'STRICT', startsAt },
  }),
  'ROUTINE of 5 a day, STRICT': async () => ({
    ...{ type: 'ROUTINE', target: 5, period: 'DAY', onReversal: 'STRICT', startsAt },
  }),
  'STREAK with 50 points at 2 days': async () => ({
    ...{ type: 'STREAK', endless: true, period: 'DAY', startsAt },
    milestones: [{ length: 2, rewardIds: [await reward({ type: 'POINTS', amount: 50 })] }],
  }),
  'Mission of 10 for 100 points': async () => ({
    target: 10,
    rewardIds: [await reward({ type: 'POINTS', amount: 100 })],
  }),
  async 'Mission of 10 for a code'() {
    const { id } = await newProduct(service.db, service.clientId, 'CODES', 3);
    return { target: 10, rewardIds: [await reward({ type: 'PRODUCTS', amount: 1, productId: id })] };
  },
};

let service: TestService;
let audienceId = '';
/** Milliseconds by which the clock of the service is ahead. */
let ahead = 0;

beforeAll(async () => {
  service = await startService({ clock: () => new Date(Date.now() + ahead) });
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

const reward = async (fields: Json): Promise<string> =>
  (await ok('POST', '/admin/rewards', { name: 'A reward', ...fields }))['id'];

test('every table of steps has a mission here, and every mission a table', () => {
  expect(tables.map(({ head }) => head)).toEqual(Object.keys(missions));
});

test.each(tables)('the table "$head" is what the service does', async ({ head, columns, rows }) => {
  const programmaticCode = head.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  const shopper = `shopper of ${head}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const mission = { type: 'MISSION', name: head, programmaticCode, ...(await missions[head]!()) };
  await ok('POST', '/admin/missions', { audienceId, mission });
  const { id: productId } = await newProduct(service.db, service.clientId, 'UNLIMITED');
  const account = { accountId: shopper, idType: 'EXTERNAL' };

  /** The ids of the events in the journal, which has the time of the database, not that of the service. */
  const entryIds = new Map<string, string>();

  async function step(text: string): Promise<void> {
    const [, daysAgo, day, event, amount] =
      /^(?:(\d) days ago |(yesterday )?)(?:reverse )?([A-Z])(?:: (\d+))?$/.exec(text) ?? [];
    // A table whose first event is days ago begins in the past.
    ahead = -86_400_000 * Number(daysAgo ?? 0);
    const bought = /^buy for (\d+)$/.exec(text)?.[1];
    if (bought !== undefined) {
      await setPrice(service.db, service.clientId, productId, Number(bought));
      await ok('POST', `/loyalty/products/${productId}/redeem`, account);
    } else if (text.startsWith('reverse ')) {
      const part = amount === undefined ? {} : { amount: Number(amount) };
      await ok('POST', '/gamification/triggers/reversals', {
        journalEntryId: entryIds.get(event!),
        ...part,
      });
    } else {
      await ok('POST', '/gamification/triggers', {
        programmaticCode,
        ...account,
        operationId: `${head} ${event}`,
        metadata: { amount: Number(amount) },
        // Less than 24 hours ago.
        ...(day && { occurredAt: new Date(Date.now() - 86_400_000 + 5_000).toISOString() }),
      });
      const { rows: entries } = await ok('GET', `/admin/journal?programmaticCode=${programmaticCode}`);
      entryIds.set(event!, entries[0].id);
    }
  }

  async function shown(): Promise<Json> {
    const query = `${encodeURIComponent(shopper)}?idType=EXTERNAL`;
    const [open] = await ok('GET', `/v1/gamification/missions/progress/${query}`);
    const completed = await ok('GET', `/v1/gamification/missions/completed/${query}`);
    const [progress = open] = completed;
    const points = await ok('GET', `/loyalty/accounts/${query.replace('?', '/points?')}`);
    const rewards = await ok('GET', `/v1/gamification/missions/my-rewards/${query}`);
    return {
      Progress: progress?.['progress'],
      Status: progress?.['status'],
      Rounds: progress?.['completions'],
      'Completed periods': completed.length,
      Points: points['available'],
      Debt: points['debt'] ?? 0,
      Codes: (rewards as Json[]).flatMap((each) => each['codes'] ?? []).length,
    };
  }

  const checked = columns.slice(1, -1);
  for (const [text, ...cells] of rows) {
    await step(text!);
    const all = await shown();
    expect([text, ...checked.map((column) => `${all[column]}`)]).toEqual([text, ...cells.slice(0, -1)]);
  }
});

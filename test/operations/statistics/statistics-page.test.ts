// docs/statistics.md has a table of moves; each row is played through the service.
import { pageTables } from '../../support/page-tables.ts';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';

type Json = RestAnswer['body'];

const page = readFileSync(new URL('../../../docs/statistics.md', import.meta.url), 'utf8');

/** The rows of the table of moves, with their cells. */
const rows = pageTables(page)
  .filter(([head]) => head![0] === 'What happens' && head![1] === 'COUNT')
  .flatMap(([, , ...cells]) => cells)
  .map(([steps, ...values]) => ({ steps: steps!, values }));

const AGGREGATIONS = ['COUNT', 'SUM', 'MAX', 'LAST', 'DAYS'] as const;
const HOUR = 3_600_000;
const AGO: Readonly<Record<string, number>> = { '': 0, ' an hour ago': HOUR, ' yesterday': 23 * HOUR };

let service: TestService;
/** At noon an hour ago is today; it moves on with every step. */
let now = Date.parse('2026-12-29T12:00:00Z');

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now), journal: 'byHash' });
  await ok('POST', '/admin/event-definitions', { programmaticCode: 'ORDER', type: 'AMOUNT' });
  for (const aggregation of AGGREGATIONS) {
    await ok('POST', '/admin/statistic-definitions', {
      statisticDefinition: { code: aggregation, programmaticCode: 'ORDER', aggregation, period: 'ALL_TIME' },
    });
  }
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

const reversals = '/gamification/triggers/reversals';

/** The kinds of steps; the account may be another one after a step. */
const kinds: ReadonlyArray<readonly [RegExp, (account: string, parts: readonly string[]) => Promise<string | void>]> = [
  [/^(\d+)( an hour ago| yesterday)?$/, (account, [amount, ago = '']) => send(account, Number(amount), AGO[ago]!)],
  [/^(\d+) again$/, (account, [amount]) => send(account, Number(amount), 0)],
  [/^take back (\d+)$/, (account, [amount]) => ok('POST', reversals, named(account, amount!)).then(() => {})],
  [
    /^take back (\d+) of (\d+)$/,
    (account, [part, amount]) =>
      ok('POST', reversals, { ...named(account, amount!), amount: Number(part) }).then(() => {}),
  ],
  [
    /^set to (\d+)$/,
    async (account, [value]) => {
      for (const code of AGGREGATIONS) {
        const path = `/admin/accounts/${encodeURIComponent(account)}/statistics/correct`;
        await ok('POST', path, { idType: 'EXTERNAL', code, value: Number(value), reason: 'The page' });
      }
    },
  ],
  [
    /^merged into (\d+)( yesterday)?$/,
    async (account, [amount, ago = '']) => {
      const other = `${account} other`;
      await ok('POST', '/accounts', { externalId: other });
      await send(other, Number(amount), AGO[ago]!);
      const merge = { intoAccountId: other, idType: 'EXTERNAL', progress: 'SUM' };
      await ok('POST', `/accounts/${encodeURIComponent(account)}/merge`, merge);
    },
  ],
];

const operationOf = (account: string, amount: number | string) => `${account.replace(/ other$/, '')} ${amount}`;
/** The entries of the journal by operation; by its own time, the journal would not have an event of the test's clock. */
const entries = new Map<string, string>();
const named = (account: string, amount: string) => ({ journalEntryId: entries.get(operationOf(account, amount)) });

/** Sends an event, or sends it again: an amount names one event of an account. */
async function send(account: string, amount: number, agoMs: number): Promise<void> {
  await ok('POST', '/gamification/triggers', {
    ...{ programmaticCode: 'ORDER', accountId: account, idType: 'EXTERNAL', metadata: { amount } },
    ...{ operationId: operationOf(account, amount), occurredAt: new Date(now - agoMs).toISOString() },
  });
  const { rows: latest } = await ok('GET', '/admin/journal?programmaticCode=ORDER&limit=1');
  entries.set(operationOf(account, amount), latest[0].id);
}

test('the table has every kind of step', () => {
  const steps = rows.flatMap((row) => row.steps.split(', '));
  for (const [pattern] of kinds)
    expect(
      steps.some((step) => pattern.test(step)),
      String(pattern),
    ).toBe(true);
});

test.each(rows)('$steps', async ({ steps, values }) => {
  const account = `account of ${steps}`;
  await ok('POST', '/accounts', { externalId: account });
  for (const step of steps.split(', ')) {
    const [pattern, play] = kinds.find(([each]) => each.test(step)) ?? [];
    expect(play, `"${step}" is no step`).toBeDefined();
    now += 1_000;
    await play!(account, pattern!.exec(step)!.slice(1));
  }
  const { rows: shown } = await ok('GET', `/v1/accounts/${encodeURIComponent(account)}/statistics?idType=EXTERNAL`);
  const byCode = new Map((shown as Json[]).map(({ code, value }) => [code, value]));
  expect(AGGREGATIONS.map((code) => String(byCode.get(code) ?? 'none'))).toEqual(values);
});

// docs/levels.md has a table of accounts; each row is played through the service, with and without the reviews of housekeeping.
import { pageTables } from '../../support/page-tables.ts';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reviewLevels } from '../../../src/levels/accounts/review-levels.ts';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';

type Json = RestAnswer['body'];

const page = readFileSync(new URL('../../../docs/levels.md', import.meta.url), 'utf8');

/** The rows of the table of accounts. */
const rows = pageTables(page)
  .filter(([head]) => head!.at(-1) === 'Level')
  .flatMap(([, , ...cells]) => cells)
  .map(([statistic, downgrade, steps, level]) => ({
    ...{ statistic: statistic!, downgrade: downgrade!.replaceAll('`', ''), steps: steps!, level: level! },
  }));

const DAY = 86_400_000;
const HOLD_DAYS = 30;

let service: TestService;
let now = Date.parse('2026-12-29T12:00:00Z');

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now), journal: 'byHash' });
  await ok('POST', '/admin/event-definitions', { programmaticCode: 'ORDER', type: 'AMOUNT' });
  for (const period of ['ALL_TIME', 'MONTH']) {
    await ok('POST', '/admin/statistic-definitions', {
      statisticDefinition: { code: period, programmaticCode: 'ORDER', aggregation: 'SUM', period },
    });
    for (const downgrade of ['NEVER', 'ONE', 'BALANCE']) {
      const levels = [0, 10, 20, 30].map((threshold, index) => ({ code: `L${index}`, threshold }));
      const isHeldForDays = period === 'ALL_TIME' && downgrade !== 'NEVER';
      const track = { code: trackOf(period, downgrade), statisticCode: period, downgrade, levels };
      await ok('POST', '/admin/level-tracks', {
        levelTrack: isHeldForDays ? { ...track, holdDays: HOLD_DAYS } : track,
      });
    }
  }
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

const trackOf = (period: string, downgrade: string) => `${period}_${downgrade}`;

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** The entries of the journal by event: an amount names one event of an account. */
const entries = new Map<string, string>();

async function send(account: string, amount: number): Promise<void> {
  const trigger = { programmaticCode: 'ORDER', accountId: account, idType: 'EXTERNAL', metadata: { amount } };
  await ok('POST', '/gamification/triggers', trigger);
  const { rows: latest } = await ok('GET', '/admin/journal?programmaticCode=ORDER&limit=1');
  entries.set(`${account} ${amount}`, latest[0].id);
}

async function takeBack(account: string, amount: string, part?: string): Promise<void> {
  const reversal = { journalEntryId: entries.get(`${account} ${amount}`) };
  await ok('POST', '/gamification/triggers/reversals', { ...reversal, ...(part && { amount: Number(part) }) });
}

/** Moves the clock to the next period, or beyond the review of a level. */
function endPeriod(statistic: string): void {
  if (statistic === 'ALL_TIME') now += HOLD_DAYS * DAY;
  else {
    const date = new Date(now);
    now = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 2, 12);
  }
}

test('the table has every statistic with every downgrade', () => {
  const played = new Set(rows.map(({ statistic, downgrade }) => trackOf(statistic, downgrade)));
  expect([...played].toSorted()).toEqual(
    ['ALL_TIME', 'MONTH']
      .flatMap((period) => ['BALANCE', 'NEVER', 'ONE'].map((downgrade) => trackOf(period, downgrade)))
      .toSorted(),
  );
});

describe.each([
  { reviewed: 'when it is read', byHousekeeping: false },
  { reviewed: 'by housekeeping', byHousekeeping: true },
])('a level is reviewed $reviewed', ({ reviewed, byHousekeeping }) => {
  test.each(rows)('$statistic $downgrade: $steps', async ({ statistic, downgrade, steps, level }) => {
    const account = `${statistic} ${downgrade} ${steps} ${reviewed}`;
    await ok('POST', '/accounts', { externalId: account });
    for (const step of steps.split(', ')) {
      now += 1_000;
      const [, part, amount] = /^take back (?:(\d+) of )?(\d+)$/.exec(step) ?? [];
      if (step === '/') {
        endPeriod(statistic);
        if (byHousekeeping) await reviewLevels(service.db, service.clientId, new Date(now));
      } else if (amount === undefined) await send(account, Number(step));
      else await takeBack(account, amount, part);
    }
    const path = `/v1/accounts/${encodeURIComponent(account)}/levels?idType=EXTERNAL`;
    const shown = ((await ok('GET', path)).rows as Json[]).find(
      (row) => row.trackCode === trackOf(statistic, downgrade),
    );
    expect(shown!.level?.code).toBe(level);
  });
});

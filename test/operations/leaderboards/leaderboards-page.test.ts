// docs/leaderboards.md has tables of boards and prizes; each row is played through the service.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foldDeltas } from '../../../src/leaderboards/ranks/fold-deltas.ts';
import { closeRuns } from '../../../src/leaderboards/runs/close-runs.ts';
import { pageTables } from '../../support/page-tables.ts';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';

type Json = RestAnswer['body'];

const page = readFileSync(new URL('../../../docs/leaderboards.md', import.meta.url), 'utf8');
const tables = pageTables(page);

/** The rows of the table whose last column has this name. */
function rowsOf(column: string): string[][] {
  return tables.filter(([head]) => head!.at(-1) === column).flatMap(([, , ...cells]) => cells);
}

const boards = rowsOf('Listed as').map(([statistic, order, steps, listed]) => ({
  ...{ statistic: statistic!, order: order!, steps: steps!, listed: listed! },
}));
const prizes = rowsOf('Winners').map(([values, prize, winners]) => ({
  ...{ values: values!, prize: prize!.replaceAll('`', ''), winners: winners! },
}));

let service: TestService;
let now = Date.parse('2026-12-29T12:00:00Z');
let codes = 0;

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now), journal: 'byHash' });
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

/** A new event, a statistic over it and an active leaderboard over that. */
async function newBoard(aggregation: string, board: Json): Promise<{ readonly code: string; readonly id: string }> {
  codes += 1;
  const code = `EVENT_${codes}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode: code, type: 'AMOUNT' });
  await ok('POST', '/admin/statistic-definitions', {
    statisticDefinition: { code, programmaticCode: code, aggregation, period: 'ALL_TIME' },
  });
  const { id } = await ok('POST', '/admin/leaderboards', {
    leaderboard: { name: code, statisticCode: code, ...board },
  });
  await ok('POST', `/admin/leaderboards/${id}/activate`);
  return { code, id };
}

async function send(code: string, account: string, amount: number): Promise<string> {
  now += 1_000;
  const trigger = { programmaticCode: code, accountId: account, idType: 'EXTERNAL', metadata: { amount } };
  await ok('POST', '/gamification/triggers', trigger);
  const { rows } = await ok('GET', `/admin/journal?programmaticCode=${code}&limit=1`);
  return rows[0].id;
}

async function listed(id: string, code: string): Promise<string> {
  const { rows } = await ok('GET', `/v1/leaderboards/${id}/entries/paginated?page=1&limit=100`);
  return (rows as Json[]).map(({ rank, externalId }) => `${rank} ${externalId.replace(`${code} `, '')}`).join(', ');
}

test.each(boards)('$statistic $order: $steps', async ({ statistic, order, steps, listed: expected }) => {
  const { code, id } = await newBoard(statistic, { order });
  const events = new Map<string, string>();
  for (const step of steps.split(', ')) {
    const [, verb = '', name, amount] = /^(-|hide |show )?([A-Z])(?: (\d+))?$/.exec(step)!;
    const account = `${code} ${name}`;
    if (verb === '-') {
      now += 1_000;
      await ok('POST', '/gamification/triggers/reversals', { journalEntryId: events.get(`${name} ${amount}`) });
    } else if (amount === undefined)
      await ok('PUT', `/v1/accounts/${encodeURIComponent(account)}/visibility`, {
        idType: 'EXTERNAL',
        hidden: verb === 'hide ',
      });
    else events.set(`${name} ${amount}`, await send(code, account, Number(amount)));
  }
  expect(await listed(id, code)).toBe(expected);
  await foldDeltas(service.db, service.clientId);
  expect(await listed(id, code)).toBe(expected);
});

describe('the prizes of a closed run', () => {
  test.each(prizes)('$values: $prize', async ({ values, prize, winners }) => {
    const { id: rewardId } = await ok('POST', '/admin/rewards', { name: 'Prize', type: 'POINTS', amount: 1 });
    const draft = Object.fromEntries(
      prize.split(', ').map((part) => {
        const [name, value] = part.split(' ');
        return [name, name === 'ties' ? value : Number(value)];
      }),
    );
    const { code, id } = await newBoard('SUM', { prizes: [{ ...draft, rewardIds: [rewardId] }] });
    // An account that leaves the board makes its run exist, also for a board without entries.
    const first = await send(code, `${code} Z`, 1);
    await ok('POST', '/gamification/triggers/reversals', { journalEntryId: first });
    const names = values === '' ? [] : values.split(', ').map((value, index) => [value, 'ABCDEFGH'[index]!] as const);
    for (const [value, name] of names) await send(code, `${code} ${name}`, Number(value));
    const { run } = await ok('GET', `/v1/leaderboards/${id}`);
    const rehearsed = await ok('POST', `/admin/leaderboards/${id}/runs/${run.id}/close`, { dryRun: true });
    const expected = winners === '' ? [] : winners.split(', ');
    const nameOf = ({ externalId }: Json) => externalId.replace(`${code} `, '');
    expect(rehearsed.winners.map(({ entry }: Json) => nameOf(entry))).toEqual(expected);
    await ok('POST', `/admin/leaderboards/${id}/runs/${run.id}/close`, {});
    await closeRuns(service.db, service.clientId, new Date(now));
    const paid = [];
    for (const [, name] of names) {
      const path = `/v1/accounts/${encodeURIComponent(`${code} ${name}`)}/leaderboards/${id}/runs?idType=EXTERNAL`;
      const { rows } = await ok('GET', path);
      if (rows[0].prizes.length > 0) paid.push(name);
    }
    expect(paid).toEqual(expected);
    const closed = (await ok('GET', `/v1/leaderboards/${id}/runs`)).rows[0];
    expect(closed).toMatchObject({ status: 'CLOSED', entries: names.length, prizesDelivered: expected.length });
  });
});

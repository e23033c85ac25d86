// Events of accounts that are suspended and resumed at random, from two hosts: each counts once, whenever it comes.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settled } from '../support/settled.ts';
import { differences } from '../operations/rewards/provision.ts';
import { untilApplied } from '../operations/triggers/inbox-fixture.ts';
import { testDatabase } from '../support/database.ts';
import { restAs, type RestAnswer, startService, type TestService } from '../support/service.ts';

type Json = RestAnswer['body'];

let service: TestService;
let other: TestService;

beforeAll(async () => {
  const database = await testDatabase();
  service = await startService({ database });
  // The first one drops the database.
  other = await startService({ database: { ...database, drop: async () => {} } });
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await other.close();
  await service.close();
});

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

test('events, repeats, reversals, suspensions and resumptions at the same time leave what the sums say', async () => {
  const programmaticCode = 'SUSPENDED';
  const { id: audienceId } = await ok('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const { id: points } = await ok('POST', '/admin/rewards', { name: 'Ten', type: 'POINTS', amount: 10 });
  const mission = { type: 'MISSION', name: 'All', programmaticCode, target: 15, repeat: {}, rewardIds: [points] };
  await ok('POST', '/admin/missions', { audienceId, mission });
  const hosts = [service.rest, restAs(other.baseUrl, service)];
  const random = fc.sample(fc.integer({ min: 0, max: 9_999 }), { numRuns: 4_000, seed: 101 });
  let drawn = 0;
  const draw = (most: number): number => random[drawn++ % random.length]! % most;
  const shoppers = Array.from({ length: 4 }, (_, index) => `suspended ${index}`);
  const running = { count: 0 };
  const states = new Set<string>();

  /** Sends events of one account, each twice and to both hosts, and takes some back. @returns the sum that is left */
  async function work(accountId: string, worker: number): Promise<number> {
    running.count += 1;
    let left = 0;
    for (let index = 0; index < 30; index += 1) {
      const operationId = `${accountId} ${worker} ${index}`;
      const amount = draw(20) + 1;
      const event = { programmaticCode, accountId, idType: 'EXTERNAL', operationId, metadata: { amount } };
      const path = () => `/gamification/triggers${draw(3) === 0 ? '/async' : ''}`;
      const answers = await Promise.all(hosts.map((rest) => settled(() => rest('POST', path(), event))));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      left += amount;
      if (draw(4) !== 0) continue;
      const named = { programmaticCode, triggerOperationId: operationId, operationId: `${operationId} back` };
      const back = await settled(() => hosts[draw(2)]!('POST', '/gamification/triggers/reversals', named));
      expect([back.status, back.body.amount], JSON.stringify(back.body)).toEqual([200, amount]);
      states.add(back.body.state);
      left -= amount;
    }
    running.count -= 1;
    return left;
  }

  async function toggle(accountId: string): Promise<void> {
    const change = (verb: string, body: Json = {}) =>
      settled(() =>
        hosts[draw(2)]!('POST', `/admin/accounts/${accountId}/${verb}`, { idType: 'EXTERNAL', reason: 'Try', ...body }),
      );
    let waited = 0;
    for (let on = true; running.count > 0; on = !on) {
      const { body } = await (on ? change('suspend') : change('resume', { events: 'APPLY' }));
      waited += body.eventCount ?? 0;
    }
    const { body } = await change('resume', { events: 'APPLY' });
    expect(waited + body.eventCount).toBeGreaterThan(0);
  }

  const sums = await Promise.all(
    shoppers.map(async (shopper) => {
      await ok('POST', '/accounts', { externalId: shopper });
      const workers = [0, 1, 2].map((worker) => work(shopper, worker));
      const [parts] = await Promise.all([Promise.all(workers), toggle(shopper)]);
      return parts.reduce((sum, each) => sum + each, 0);
    }),
  );
  await untilApplied(service);
  expect([...states].toSorted()).toEqual(['REVERSED', 'WITHDRAWN']);
  for (const [index, shopper] of shoppers.entries()) {
    const query = `${encodeURIComponent(shopper)}?idType=EXTERNAL`;
    const [progress] = await ok('GET', `/v1/gamification/missions/progress/${query}`);
    const balance = await ok('GET', `/loyalty/accounts/${query.replace('?', '/points?')}`);
    const rounds = Math.floor(sums[index]! / 15);
    expect([progress.completions ?? 0, progress.progress], shopper).toEqual([rounds, sums[index]! % 15]);
    expect([balance.available, balance.debt]).toEqual([10 * rounds, undefined]);
  }
});

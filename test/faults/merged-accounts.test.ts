// Accounts are merged, and merges undone, on two hosts, while both send events, buy, and restock: every event counts once.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type Rest, type RestAnswer, restAs, type Tenant } from '../support/service.ts';
import { settled } from '../support/settled.ts';
import { LIMITS, randomNumbers, seed, shortOrLong } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

type Json = RestAnswer['body'];

let database: TestDatabase;
let tenant: Tenant;
let hosts: ServiceProcess[];
let rests: Rest[];

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  hosts = await Promise.all([startServiceProcess(database.url), startServiceProcess(database.url)]);
  rests = hosts.map(({ baseUrl }) => restAs(baseUrl, tenant));
});
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.end('SIGKILL')));
  await database.drop();
});

/** A call that must succeed, or be refused with one of `codes`. */
async function call(rest: Rest, path: string, body: Json, codes: readonly string[] = []): Promise<RestAnswer> {
  const answer = await settled(() => rest('POST', path, body));
  if (answer.status >= 300) expect(codes, `${path} ${JSON.stringify(answer.body)}`).toContain(answer.body.code);
  return answer;
}

const query = async <Row extends object>(sql: string) =>
  database.db.unitOfWork(tenant.clientId, (uow) => uow.query<Row>(sql));

const EVENTS = shortOrLong(25, 200);
const PEOPLE = 8;
const ROUND = 5;

test('two hosts that send, buy, restock, merge and undo at the same time count every event once', LIMITS, async () => {
  const rest = rests[0]!;
  const created = async (path: string, body: Json) => (await call(rest, path, body)).body['id'] as string;
  await call(rest, '/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' });
  const audienceId = await created('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const mugId = await created('/admin/products', { name: 'Mug', stockMode: 'COUNTED' });
  const sweetsId = await created('/admin/products', { name: 'Sweets', stockMode: 'UNLIMITED', pointsCost: 1 });
  const rewardIds = [
    await created('/admin/rewards', { name: 'Three', type: 'POINTS', amount: 3 }),
    await created('/admin/rewards', { name: 'A mug', type: 'PRODUCTS', amount: 1, productId: mugId }),
  ];
  const common = { type: 'MISSION', programmaticCode: 'VISIT' };
  const visits = { ...common, name: 'Visits', target: 1_000_000 };
  await call(rest, '/admin/missions', { audienceId, mission: visits });
  const rounds = { ...common, name: 'Rounds', target: ROUND, repeat: { max: 1_000 }, rewardIds };
  await call(rest, '/admin/missions', { audienceId, mission: rounds });
  const people = Array.from({ length: PEOPLE }, (_, index) => `person-${index}`);
  for (const externalId of people) await call(rest, '/accounts', { externalId });

  let sent = 0;
  const seen = { merged: 0, undone: 0, bought: 0, restocked: 0 };
  const over = new AbortController();
  const ref = (who: string) => ({ accountId: who, idType: 'EXTERNAL' });
  const senders = people.flatMap((who, person) =>
    rests.map(async (host, index) => {
      for (let event = 0; event < EVENTS; event += 1) {
        const operationId = `${who} ${index} ${event}`;
        const trigger = { programmaticCode: 'VISIT', ...ref(who), operationId };
        const path = `/gamification/triggers${(person + event) % 3 === 0 ? '/async' : ''}`;
        await call(host, path, trigger);
        sent += 1;
      }
    }),
  );
  const guests: string[] = [];
  // A guest sends while it is merged, and while its merge is undone. Now and then the accounts of two people become one.
  const merger = async (host: Rest, from: number) => {
    const random = randomNumbers(seed + from);
    const one = () => people[Math.floor(random() * PEOPLE)]!;
    for (let index = 0; !over.signal.aborted; index += 1) {
      const guest = `guest-${from}-${index}`;
      // Nobody else knows the other guest, so many of these merges can be undone.
      const other = `${guest}-other`;
      const [who, into] = random() < 0.1 ? [one(), one()] : [guest, random() < 0.5 ? other : one()];
      guests.push(guest, other);
      const sendAs = async (account: string, what: string) => {
        await call(host, '/gamification/triggers', {
          ...{ programmaticCode: 'VISIT', ...ref(account), operationId: `${guest} ${what}` },
        });
        sent += 1;
      };
      await sendAs(guest, 'first');
      await sendAs(other, 'other');
      const fields = { intoAccountId: into, idType: 'EXTERNAL', progress: 'SUM' };
      const [{ status, body }] = await Promise.all([
        call(host, `/accounts/${who}/merge`, fields, ['BAD_REQUEST']),
        ...(random() < 0.5 ? [sendAs(who, 'meanwhile')] : []),
      ]);
      if (status !== 200) continue;
      seen.merged += 1;
      if (random() < 0.3) continue;
      const path = `/accounts/${into}/merges/${body['mergeId']}/undo`;
      const [undone] = await Promise.all([
        call(host, path, { idType: 'EXTERNAL' }, ['MERGE_NOT_UNDOABLE', 'MERGE_NOT_FOUND']),
        ...(random() < 0.5 ? [sendAs(who, 'undone')] : []),
      ]);
      if (undone.status === 200) seen.undone += 1;
    }
  };
  const buyer = async (host: Rest, from: number) => {
    for (let index = 0; !over.signal.aborted; index += 1) {
      const who = people[(index + from) % PEOPLE]!;
      const refusals = ['INSUFFICIENT_POINTS'];
      const path = `/loyalty/products/${sweetsId}/redeem`;
      if ((await call(host, path, ref(who), refusals)).status === 200) seen.bought += 1;
      await sleep(5);
    }
  };
  const restocker = async (host: Rest) => {
    while (!over.signal.aborted) {
      await call(host, `/admin/products/${mugId}/stock`, { quantity: 1 });
      seen.restocked += 1;
      await sleep(10);
    }
  };
  const others = rests.flatMap((host, index) => [
    merger(host, index),
    merger(host, index + 7),
    buyer(host, index),
    restocker(host),
  ]);
  const all = Promise.all(others);
  all.catch(() => {});
  await Promise.race([Promise.all(senders), all]);
  over.abort();
  await all;
  await expect.poll(() => query('select id from trigger_inbox'), { timeout: 20_000 }).toEqual([]);

  for (const who of [...people.slice(1), ...guests]) {
    const fields = { intoAccountId: people[0], idType: 'EXTERNAL', progress: 'SUM' };
    await call(rest, `/accounts/${who}/merge`, fields, ['BAD_REQUEST']);
  }
  const progress = (await rest('GET', `/v1/gamification/missions/progress/${people[3]}?idType=EXTERNAL`))
    .body as Json[];
  const paid = Math.floor(sent / ROUND);
  expect(progress.find(({ name }: Json) => name === 'Visits')).toMatchObject({ progress: sent });
  expect(progress.find(({ name }: Json) => name === 'Rounds')).toMatchObject({ progress: sent % ROUND });
  const [rewards] = await query(
    `select (select sum(amount)::int from earned_reward where reward_type = 'POINTS') as points,
            (select sum(amount)::int from earned_reward where reward_type = 'PRODUCTS') as mugs,
            (select count(distinct account_id)::int from earned_reward) as accounts,
            (select count(*)::int from redemption where source = 'LOYALTY') as bought`,
  );
  expect(rewards).toEqual({ points: paid * 3, mugs: paid, accounts: 1, bought: seen.bought });
  expect((await rest('GET', `/loyalty/accounts/${people[5]}/points?idType=EXTERNAL`)).body).toMatchObject({
    available: paid * 3 - seen.bought,
    lifetimeEarned: paid * 3,
    spent: seen.bought,
  });
  await expectExact(database.db);
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(1);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audiencesOfAccounts, audiencesWithoutRows } from '../../../src/audiences/audiences.queries.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

async function newAudience(kind: 'MANUAL' | 'EVERYONE' = 'MANUAL', { adminToken }: Tenant = service): Promise<string> {
  const { body } = await service.rest('POST', '/admin/audiences', { name: 'Audience', kind }, adminToken);
  return body.id;
}

async function newAccounts(count: number, { apiKey }: Tenant = service): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => service.rest('POST', '/accounts', {}, apiKey)));
  return answers.map((answer) => answer.body.id);
}

const assign = (audienceId: string, accountIds: unknown, token?: string) =>
  service.rest('POST', `/gamification/audiences/${audienceId}/accounts/assign`, { accountIds }, token);
const remove = (audienceId: string, accountIds: unknown, token?: string) =>
  service.rest('DELETE', `/gamification/audiences/${audienceId}/accounts/remove`, { accountIds }, token);

async function members(audienceId: string): Promise<string[]> {
  const rows = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ account_id: string }>('select account_id from audience_member where audience_id = $1', [audienceId]),
  );
  return rows.map((row) => row.account_id).toSorted();
}

test('assigning answers the audience, and a repeat changes nothing', async () => {
  const audienceId = await newAudience();
  const ids = await newAccounts(3);
  for (let time = 0; time < 2; time += 1) {
    const answer = await assign(audienceId, ids);
    expect(answer).toMatchObject({ status: 200, body: { id: audienceId, kind: 'MANUAL', name: 'Audience' } });
    expect(await members(audienceId)).toEqual(ids.toSorted());
  }
});

test('an id that is sent twice, or in upper case, is one member', async () => {
  const audienceId = await newAudience();
  const [id] = await newAccounts(1);
  expect((await assign(audienceId, [id, id, id!.toUpperCase()])).status).toBe(200);
  expect(await members(audienceId)).toEqual([id]);
});

test('removing takes members out, passes over those that are none, and a repeat is safe', async () => {
  const audienceId = await newAudience();
  const [stays, goes, never] = await newAccounts(3);
  await assign(audienceId, [stays, goes]);
  for (let time = 0; time < 2; time += 1) {
    expect(await remove(audienceId, [goes, never])).toMatchObject({ status: 200, body: { id: audienceId } });
    expect(await members(audienceId)).toEqual([stays]);
  }
});

test('simultaneous assignments of overlapping accounts all succeed', async () => {
  const audienceId = await newAudience();
  const ids = await newAccounts(20);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) => assign(audienceId, [...ids.slice(turn), ...ids.slice(0, turn)])),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect(await members(audienceId)).toEqual(ids.toSorted());
});

test('ten thousand accounts are assigned in one call, ten thousand and one are a 400', async () => {
  const audienceId = await newAudience();
  const ids = Array.from({ length: 10_000 }, () => newId());
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query('insert into account (client_id, id) select $1, unnest($2::uuid[])', [service.clientId, ids]),
  );
  expect((await assign(audienceId, ids)).status).toBe(200);
  expect(await members(audienceId)).toHaveLength(10_000);
  expect(await assign(audienceId, [...ids, newId()])).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

describe.each([
  ['assign', assign],
  ['remove', remove],
])('%s', (_name, change) => {
  test('all or nothing: with unknown ids nobody is touched, and the message names the first ten', async () => {
    const audienceId = await newAudience();
    const [member, other] = await newAccounts(2);
    await assign(audienceId, [member]);
    const unknown = Array.from({ length: 12 }, () => newId());
    const answer = await change(audienceId, [member, other, ...unknown]);
    expect(answer).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
    expect(unknown.filter((id) => answer.body.message.includes(id))).toEqual(unknown.slice(0, 10));
    expect(answer.body.message).toContain('2 more');
    expect(await members(audienceId)).toEqual([member]);
  });

  test('an audience of everyone has no members to change', async () => {
    const [id] = await newAccounts(1);
    expect(await change(await newAudience('EVERYONE'), [id])).toMatchObject({
      status: 409,
      body: { code: 'AUDIENCE_NOT_MANUAL' },
    });
  });

  test('an unknown audience is a 404', async () => {
    const [id] = await newAccounts(1);
    expect(await change(newId(), [id])).toMatchObject({ status: 404, body: { code: 'AUDIENCE_NOT_FOUND' } });
  });

  test.each([
    ['an audience id that is no UUID', 'everyone', [newId()]],
    ['no accounts', newId(), []],
    ['an account id that is no UUID', newId(), ['customer-1']],
    ['accounts that are no list', newId(), 'all'],
    ['no body', newId(), undefined],
  ])('%s is a 400', async (_what, audienceId, accountIds) => {
    expect(await change(audienceId, accountIds)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test("another client's audience and another client's accounts do not exist", async () => {
    const other = await service.newTenant();
    const [audienceId, theirs] = [await newAudience(), await newAudience('MANUAL', other)];
    const [[mine], [foreign]] = [await newAccounts(1), await newAccounts(1, other)];
    expect(await change(theirs, [mine])).toMatchObject({ status: 404, body: { code: 'AUDIENCE_NOT_FOUND' } });
    expect(await change(audienceId, [foreign])).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
  });

  test('a deleted account is unknown', async () => {
    const [id] = await newAccounts(1);
    await service.rest('DELETE', `/accounts/${id}`);
    expect(await change(await newAudience(), [id])).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
  });
});

test('an account that joins the audience of an active campaign has its missions at once, and not after it left', async () => {
  const { audienceId } = await newGame(service, { audienceKind: 'MANUAL' });
  const [id] = await newAccounts(1);
  const feed = async () => (await service.rest('GET', `/v1/feed/account/${id}`)).body;
  expect(await feed()).toEqual([]);
  await assign(audienceId, [id]);
  expect(await feed()).toHaveLength(1);
  await remove(audienceId, [id]);
  expect(await feed()).toEqual([]);
});

test('a membership that ended is in the export of its account, and goes when that is erased', async () => {
  const audienceId = await newAudience();
  const [id, other] = await newAccounts(2);
  for (const change of [assign, remove, assign]) expect((await change(audienceId, [id, other])).status).toBe(200);
  const exported = (await service.rest('GET', `/admin/accounts/${id}/export.json`)).body;
  const moment = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(exported.audiences).toEqual([{ audienceId, joinedAt: moment }]);
  expect(exported.formerAudiences).toEqual([{ audienceId, joinedAt: moment, leftAt: moment }]);
  const [former] = exported.formerAudiences;
  expect(Date.parse(former.leftAt)).toBeGreaterThanOrEqual(Date.parse(former.joinedAt));
  expect((await service.rest('POST', `/accounts/${id}/erase`, {})).status).toBe(200);
  const left = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query('select account_id from former_membership where audience_id = $1', [audienceId]),
  );
  expect(left).toEqual([{ account_id: other }]);
});

test('joining and leaving twice in a moment, or in parallel, is no fault, and ten thousand leave in one call', async () => {
  const audienceId = await newAudience();
  const ids = Array.from({ length: 10_000 }, () => newId());
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query('insert into account (client_id, id) select $1, unnest($2::uuid[])', [service.clientId, ids]),
  );
  await assign(audienceId, ids);
  expect((await remove(audienceId, ids)).status).toBe(200);
  const some = ids.slice(0, 5);
  const changes = Array.from({ length: 20 }, (_, turn) => (turn % 2 === 0 ? assign : remove)(audienceId, some));
  expect(new Set((await Promise.all(changes)).map(({ status }) => status))).toEqual(new Set([200]));
  const [count] = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ accounts: string }>(
      'select count(distinct account_id) as accounts from former_membership where audience_id = $1',
      [audienceId],
    ),
  );
  expect(Number(count!.accounts)).toBe(10_000);
});

test('audiences of many accounts are read in one statement, those of everyone apart', async () => {
  const tenant = await service.newTenant();
  const [one, two] = [await newAudience('MANUAL', tenant), await newAudience('MANUAL', tenant)];
  const everyone = await newAudience('EVERYONE', tenant);
  const [both, single, none] = await newAccounts(3, tenant);
  await assign(one, [both, single], tenant.apiKey);
  await assign(two, [both], tenant.apiKey);
  await service.db.unitOfWork(tenant.clientId, async (uow) => {
    const audiences = await audiencesOfAccounts(uow, [both!, single!, none!]);
    expect(new Map([...audiences].map(([id, joinedAt]) => [id, new Set(joinedAt.keys())]))).toEqual(
      new Map([
        [both, new Set([one, two])],
        [single, new Set([one])],
      ]),
    );
    expect(await audiencesWithoutRows(uow)).toEqual([{ id: everyone, expression: null }]);
  });
  await service.db.unitOfWork(service.clientId, async (uow) => {
    expect(await audiencesOfAccounts(uow, [both!])).toEqual(new Map());
  });
});

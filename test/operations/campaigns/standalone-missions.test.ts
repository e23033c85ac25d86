import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { expectOneConflict, ok, pageQuery, recorded } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';

let service: TestService;
let audienceId: string;
let rewardIds: readonly string[];
let missionOfCampaign: string;

beforeAll(async () => {
  service = await sharedService();
  const game = await newGame(service, { activate: false });
  ({ audienceId, rewardIds } = game);
  missionOfCampaign = game.missionIds[0]!;
});
afterAll(() => service.close());

const path = (id: string) => `/admin/missions/${id}`;
const draft = (rest: object = {}) => ({
  type: 'MISSION',
  name: 'Alone',
  programmaticCode: 'LOGIN',
  target: 2,
  rewardIds,
  ...rest,
});
const newMission = (rest: object = {}) =>
  ok(service.rest('POST', '/admin/missions', { audienceId, mission: draft(rest) }));
const put = (id: string, version: number, mission: object) => service.rest('PUT', path(id), { version, mission });
const FUTURE = '2090-01-01T00:00:00Z';

async function feedOf(account: string) {
  return ok(service.rest('GET', `/v1/feed/account/${account}?idType=EXTERNAL`));
}

test('a standalone mission is in the feed at once, progresses and is rewarded', async () => {
  const mission = await newMission();
  expect(mission).toMatchObject({ audienceId, name: 'Alone', target: 2, version: 1 });
  expect(mission.campaignId).toBeUndefined();
  expect((await service.rest('GET', path(mission.id))).body).toEqual(mission);
  expect(await feedOf('ada')).toContainEqual(
    expect.objectContaining({ missionId: mission.id, campaignId: null, progress: 0 }),
  );
  const emit = () =>
    ok(
      service.rest('POST', '/gamification/triggers', {
        programmaticCode: 'LOGIN',
        accountId: 'ada',
        idType: 'EXTERNAL',
      }),
    );
  await emit();
  const { rewards } = await emit();
  expect(rewards).toContainEqual(expect.objectContaining({ missionId: mission.id, status: 'DELIVERED' }));
  expect(await recorded(service, mission.id)).toMatchObject([
    { operation: 'MissionAdminService.CreateMission', before: null },
  ]);
  await ok(service.rest('POST', `${path(mission.id)}/end`));
});

test('they are listed latest first, without those of campaigns', async () => {
  const [older, newer] = [
    await newMission({ name: 'Older' }),
    await newMission({ name: 'Newer', type: 'CHALLENGE', durationDays: 2 }),
  ];
  const list = async (conditions: object = {}) =>
    (await ok(service.rest('GET', `/admin/missions/paginated?${pageQuery({ ...conditions })}`))).rows.map(
      (row: { id: string }) => row.id,
    );
  expect((await list()).slice(0, 2)).toEqual([newer.id, older.id]);
  expect(await list()).not.toContain(missionOfCampaign);
  expect(await list({ type: 'CHALLENGE' })).toEqual([newer.id]);
  expect((await service.rest('GET', path(missionOfCampaign))).body.code).toBe('MISSION_NOT_FOUND');
});

describe('an update', () => {
  test('before it starts replaces everything', async () => {
    const { id } = await newMission({ startsAt: FUTURE });
    const updated = await ok(put(id, 1, draft({ name: 'New', target: 9, startsAt: FUTURE })));
    expect(updated).toMatchObject({ id, name: 'New', target: 9, version: 2 });
    expect((await recorded(service, id)).at(-1)).toMatchObject({ before: { target: 2 }, after: { target: 9 } });
  });

  test('once it is offered replaces texts and end, and refuses the rest', async () => {
    const { id } = await newMission();
    const { version } = await ok(put(id, 1, draft({ name: 'New', description: 'More.', endsAt: FUTURE })));
    const refused = { status: 409, body: { code: 'MISSION_IMMUTABLE', message: expect.stringContaining('target') } };
    expect(await put(id, version, draft({ target: 9 }))).toMatchObject(refused);
    expect((await put(id, version, draft({ programmaticCode: 'PURCHASE', target: 2 }))).status).toBe(409);
  });

  test('by two editors at once tells the second', async () => {
    const { id } = await newMission();
    await expectOneConflict((name) => put(id, 1, draft({ name })));
  });

  test.each([{ programmaticCode: 'NOPE' }, { rewardIds: [newId()] }, { type: 'CHALLENGE' }, { target: 0 }])(
    'refuses %j',
    async (rest) => {
      const { id } = await newMission({ startsAt: FUTURE });
      expect(await put(id, 1, draft({ startsAt: FUTURE, ...rest }))).toMatchObject({ status: 400 });
      expect((await service.rest('POST', '/admin/missions', { audienceId, mission: draft(rest) })).status).toBe(400);
    },
  );
});

test('an end expires what is not finished, keeps what is, and may be repeated', async () => {
  const { id } = await newMission({ target: 3 });
  await ok(
    service.rest('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', accountId: 'eve', idType: 'EXTERNAL' }),
  );
  const ended = await ok(service.rest('POST', `${path(id)}/end`));
  expect(await ok(service.rest('POST', `${path(id)}/end`))).toEqual(ended);
  const after = await ok(
    service.rest('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', accountId: 'eve', idType: 'EXTERNAL' }),
  );
  expect(after.progressedMissions.map((mission: { missionId: string }) => mission.missionId)).not.toContain(id);
  const filters = JSON.stringify({ filters: [{ field: 'status', value: 'EXPIRED' }] });
  const expired = await ok(service.rest('GET', `/v1/feed/account/eve?idType=EXTERNAL&filters=${filters}`));
  expect(expired).toContainEqual(expect.objectContaining({ missionId: id, progress: 1 }));
  expect((await recorded(service, id)).map(({ operation }) => operation)).toEqual([
    'MissionAdminService.CreateMission',
    'MissionAdminService.EndMission',
  ]);
});

test('an audience with a standalone mission is not removed', async () => {
  const audience = await ok(service.rest('POST', '/admin/audiences', { name: 'Kept', kind: 'MANUAL' }));
  await ok(service.rest('POST', '/admin/missions', { audienceId: audience.id, mission: draft({ name: 'Holds it' }) }));
  const answer = await service.rest('DELETE', `/admin/audiences/${audience.id}`);
  expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining(`mission 'Holds it'`) } });
});

test.each([
  ['GET', ''],
  ['PUT', ''],
  ['POST', '/end'],
])("%s %s finds nothing of another client's", async (method, end) => {
  const { id } = await newMission();
  const { adminToken } = await service.newTenant();
  const body = method === 'PUT' ? { version: 1, mission: draft({ rewardIds: [] }) } : undefined;
  expect((await service.rest(method, path(id) + end, body, adminToken)).body.code).toBe('MISSION_NOT_FOUND');
});

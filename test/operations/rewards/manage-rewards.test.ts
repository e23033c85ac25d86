import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { expectOneConflict, ok, pageQuery, recorded } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const post = (path: string, body?: object) => ok(service.rest('POST', path, body));
const newReward = (body: object = {}) => post('/admin/rewards', { name: 'Ten', type: 'POINTS', amount: 10, ...body });
const newChest = async (body: object = {}) => {
  const reward = await newReward();
  return post('/admin/chests', { name: 'Golden', entries: [{ rewardId: reward.id, weight: 1 }], ...body });
};

/** Whether a list contains the resource, without and with `includeDeleted`. */
async function listed(path: string, id: string): Promise<[boolean, boolean]> {
  const total = async (includeDeleted: boolean) => {
    const filters = JSON.stringify({ filters: [{ field: 'id', value: id }], includeDeleted });
    return (await ok(service.rest('GET', `${path}/paginated?page=1&limit=1&filters=${filters}`))).totalRows === 1;
  };
  return [await total(false), await total(true)];
}

describe('a reward', () => {
  test('takes a new name, which feeds show at once, and nothing else', async () => {
    const reward = await newReward();
    const { missionIds } = await newGame(service, { missions: [{ rewardIds: [reward.id] }] });
    const updated = await ok(service.rest('PUT', `/admin/rewards/${reward.id}`, { version: 1, name: 'Ten points' }));
    expect(updated).toEqual({ ...reward, name: 'Ten points', version: 2 });
    const feed = await ok(service.rest('GET', '/v1/feed/account/ada?idType=EXTERNAL'));
    const item = feed.find((found: { missionId: string }) => found.missionId === missionIds[0]);
    expect(item.rewards).toEqual([{ id: reward.id, name: 'Ten points', type: 'POINTS', amount: 10 }]);
    const amount = { version: 2, name: 'x', amount: 20 };
    expect((await service.rest('PUT', `/admin/rewards/${reward.id}`, amount)).status).toBe(400);
    expect((await recorded(service, reward.id)).at(-1)).toMatchObject({
      before: { name: 'Ten' },
      after: { name: 'Ten points' },
    });
  });

  test('edited by two at once tells the second', async () => {
    const { id } = await newReward();
    await expectOneConflict((name) => service.rest('PUT', `/admin/rewards/${id}`, { version: 1, name }));
  });

  test('is archived once nothing gives it: it leaves the lists, and nothing new may name it', async () => {
    const { id } = await newReward();
    const archived = await post(`/admin/rewards/${id}/archive`);
    expect(archived.archivedAt).toBeTruthy();
    expect(await post(`/admin/rewards/${id}/archive`)).toEqual(archived);
    expect(await listed('/admin/rewards', id)).toEqual([false, true]);
    const chest = { name: 'x', entries: [{ rewardId: id, weight: 1 }] };
    expect((await service.rest('POST', '/admin/chests', chest)).body.message).toContain('archived');
    const { audienceId } = await newGame(service, { activate: false });
    const campaign = {
      name: 'x',
      audienceIds: [audienceId],
      rewardIds: [id],
      missions: [{ type: 'MISSION', name: 'x', programmaticCode: 'LOGIN', target: 1 }],
    };
    expect((await service.rest('POST', '/admin/campaigns', campaign)).body.message).toContain('archived');
    expect(
      (await recorded(service, id)).filter(({ operation }) => operation === 'RewardAdminService.ArchiveReward'),
    ).toHaveLength(1);
  });

  test('is not archived while something gives it, which the refusal names', async () => {
    const refused = (name: string) => ({
      status: 409,
      body: { code: 'REWARD_IN_USE', message: expect.stringContaining(name) },
    });
    const { campaignId, rewardIds } = await newGame(service, { campaign: { name: 'Gives it' } });
    const archive = (id: string) => service.rest('POST', `/admin/rewards/${id}/archive`);
    expect(await archive(rewardIds[0]!)).toMatchObject(refused(`campaign 'Gives it'`));
    await post(`/admin/campaigns/${campaignId}/end`);
    expect((await archive(rewardIds[0]!)).status).toBe(200);
    const inside = await newReward();
    await newChest({ entries: [{ rewardId: inside.id, weight: 1 }] });
    expect(await archive(inside.id)).toMatchObject(refused(`chest 'Golden'`));
  });

  test('that is archived is a problem of a campaign that was copied from one that gave it', async () => {
    const { campaignId, rewardIds } = await newGame(service);
    await post(`/admin/campaigns/${campaignId}/end`);
    await post(`/admin/rewards/${rewardIds[0]}/archive`);
    const copy = await post(`/admin/campaigns/${campaignId}/duplicate`, { name: 'Copy' });
    expect(await service.rest('POST', `/admin/campaigns/${copy.id}/activate`)).toMatchObject({
      status: 409,
      body: { code: 'CAMPAIGN_NOT_READY', message: expect.stringContaining('rewardIds[0]') },
    });
  });
});

describe('a chest definition', () => {
  test('takes other odds while no chest of it was won', async () => {
    const chest = await newChest();
    const { id: rewardId } = await newReward();
    const entries = [{ rewardId, weight: 5 }];
    const updated = await ok(
      service.rest('PUT', `/admin/chests/${chest.id}`, { version: 1, name: 'Silver', entries, totalWeight: 9 }),
    );
    expect(updated).toMatchObject({ name: 'Silver', entries: [{ rewardId, weight: 5 }], totalWeight: 9, version: 2 });
    expect((await service.rest('GET', `/admin/chests/${chest.id}`)).body).toEqual(updated);
    expect((await recorded(service, chest.id)).at(-1)).toMatchObject({
      before: { name: 'Golden' },
      after: { name: 'Silver' },
    });
  });

  test('keeps its odds once one was won, and still takes a name', async () => {
    const chest = await newChest();
    const reward = await newReward({ type: 'CHEST', amount: 1, chestId: chest.id });
    await newGame(service, {
      codes: { CHEST: 'SINGLE' },
      missions: [{ programmaticCode: 'CHEST', rewardIds: [reward.id] }],
    });
    await post('/gamification/triggers', { programmaticCode: 'CHEST', accountId: 'winner', idType: 'EXTERNAL' });
    const put = (version: number, body: object) =>
      service.rest('PUT', `/admin/chests/${chest.id}`, { version, ...body });
    const { entries } = chest;
    expect(await put(1, { name: 'Golden', entries, totalWeight: 9 })).toMatchObject({
      status: 409,
      body: { code: 'CHEST_DEFINITION_WON' },
    });
    expect(await ok(put(1, { name: 'Old gold', entries }))).toMatchObject({ name: 'Old gold', version: 2 });
  });

  test('edited by two at once tells the second, and an unknown reward is a 400', async () => {
    const { id, entries } = await newChest();
    await expectOneConflict((name) => service.rest('PUT', `/admin/chests/${id}`, { version: 1, name, entries }));
    const unknown = { version: 2, name: 'x', entries: [{ rewardId: newId(), weight: 1 }] };
    expect((await service.rest('PUT', `/admin/chests/${id}`, unknown)).status).toBe(400);
  });

  test('is archived once no reward brings it; what was won is opened all the same', async () => {
    const chest = await newChest();
    const reward = await newReward({ name: 'Brings it', type: 'CHEST', amount: 1, chestId: chest.id });
    const archive = () => service.rest('POST', `/admin/chests/${chest.id}/archive`);
    expect(await archive()).toMatchObject({
      status: 409,
      body: { code: 'CHEST_DEFINITION_IN_USE', message: expect.stringContaining(`'Brings it'`) },
    });
    await post(`/admin/rewards/${reward.id}/archive`);
    const archived = await ok(archive());
    expect(await ok(archive())).toEqual(archived);
    expect(await listed('/admin/chests', chest.id)).toEqual([false, true]);
    const late = { name: 'x', type: 'CHEST', amount: 1, chestId: chest.id };
    expect((await service.rest('POST', '/admin/rewards', late)).body.message).toContain('archived');
  });
});

test.each([
  ['PUT', '/admin/rewards', '', { version: 1, name: 'x' }, 'REWARD_NOT_FOUND'],
  ['POST', '/admin/rewards', '/archive', undefined, 'REWARD_NOT_FOUND'],
  ['PUT', '/admin/chests', '', { version: 1, name: 'x' }, 'CHEST_DEFINITION_NOT_FOUND'],
  ['POST', '/admin/chests', '/archive', undefined, 'CHEST_DEFINITION_NOT_FOUND'],
])("%s %s/{id}%s finds nothing of another client's", async (method, path, end, body, code) => {
  const { adminToken } = await service.newTenant();
  const { id, entries } = path === '/admin/chests' ? await newChest() : await newReward();
  const sent = body && (entries ? { ...body, entries } : body);
  expect((await service.rest(method, `${path}/${id}${end}`, sent, adminToken)).body.code).toBe(code);
  expect((await service.rest(method, `${path}/${newId()}${end}`, sent)).body.code).toBe(code);
  expect((await ok(service.rest('GET', `${path}/paginated?${pageQuery({ id })}`))).totalRows).toBe(1);
});

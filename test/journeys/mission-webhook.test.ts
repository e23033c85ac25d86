import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newGame } from '../support/game.ts';
import { restAs } from '../support/service.ts';
import { eventOf, ok, type Scene, startTwoServices } from './two-services.ts';

let two: Awaited<ReturnType<typeof startTwoServices>>;
let scene: Scene;

beforeAll(async () => (two = await startTwoServices()));
beforeEach(async () => (scene = await two.scene()));
afterEach(() => scene.receiver.close());
afterAll(() => two.close());

describe('the mission-completed webhook', () => {
  test('tells who completed what, by what and when, with the documented fields', async () => {
    await scene.configure('mission-completed');
    const { campaignId, missionIds } = await scene.game({
      missions: [
        { name: 'Twice', target: 2 },
        { name: 'Later', target: 9 },
      ],
      campaign: { name: 'Spring' },
    });
    await scene.emit('ada');
    expect(await scene.bodies()).toEqual([]);
    const { progressedMissions } = await scene.emit('ada', { operationId: 'login-2' });
    const { id: accountId } = await ok(scene.rest('POST', '/accounts/resolve', { externalId: 'ada' }));
    expect(await scene.bodies()).toEqual([
      {
        accountId,
        externalId: 'ada',
        clientId: scene.tenant.clientId,
        missionId: missionIds[0],
        name: 'Twice',
        type: 'MISSION',
        campaignId,
        campaignName: 'Spring',
        assignmentId: progressedMissions[0].assignmentId,
        progress: 2,
        target: 2,
        completedAt: new Date(two.clock.now).toISOString(),
        operationId: 'login-2',
      },
    ]);
    expect(scene.receiver.received[0]).toMatchObject({ method: 'POST' });
  });

  test('of a mission without a campaign, by an account without an external id, names neither', async () => {
    await scene.configure('mission-completed');
    await scene.game({ activate: false });
    const { id: audienceId } = await ok(scene.rest('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' }));
    const mission = { type: 'MISSION', name: 'Alone', programmaticCode: 'LOGIN', target: 1 };
    await ok(scene.rest('POST', '/admin/missions', { audienceId, mission }));
    const { id } = await ok(scene.rest('POST', '/accounts', {}));
    await scene.emit(id, { idType: 'INTERNAL' });
    const [body, ...more] = await scene.bodies();
    expect(more).toEqual([]);
    expect(body).toMatchObject({ accountId: id, name: 'Alone', progress: 1, target: 1 });
    for (const key of ['externalId', 'campaignId', 'campaignName', 'operationId', 'periodKey', 'test'])
      expect(body).not.toHaveProperty(key);
  });

  test('of a streak comes once, when its run is complete; of a routine for each period, with how many there are', async () => {
    await scene.configure('mission-completed');
    await scene.game({
      missions: [
        { name: 'Streak', type: 'STREAK', period: 'DAY', target: 2 },
        { name: 'Routine', type: 'ROUTINE', period: 'DAY', target: 1, occurrences: 2 },
      ],
    });
    const first = two.clock.now;
    await scene.emit('ada');
    await scene.emit('ada');
    two.clock.now += 86_400_000;
    await scene.emit('ada');
    await scene.emit('ada');
    two.clock.now = first;
    const routine = { name: 'Routine', progress: 1, target: 1 };
    const bodies = (await scene.bodies()).toSorted((a, b) =>
      String(a.completedAt).localeCompare(String(b.completedAt)),
    );
    expect(bodies).toHaveLength(3);
    expect(bodies[0]).toMatchObject({ ...routine, periodKey: '2027-06-01', occurrences: { completed: 1, target: 2 } });
    expect(bodies).toContainEqual(
      expect.objectContaining({ ...routine, periodKey: '2027-06-02', occurrences: { completed: 2, target: 2 } }),
    );
    expect(bodies).toContainEqual(expect.objectContaining({ name: 'Streak', type: 'STREAK', progress: 2, target: 2 }));
  });

  test('comes once for each completion however the event comes, in two processes at once, and not for a repeat', async () => {
    await scene.configure('mission-completed');
    await scene.game();
    const accounts = Array.from({ length: 12 }, (_, index) => `account-${index}`);
    await Promise.all(accounts.flatMap((account) => [0, 1].map((process) => scene.emit(account, {}, process))));
    await scene.emit('repeats', { operationId: 'once' });
    await Promise.all([0, 1].map((process) => scene.emit('repeats', { operationId: 'once' }, process)));
    await ok(scene.rests[1]!('POST', '/gamification/triggers/async', eventOf('async')));
    await expect.poll(async () => (await scene.bodies()).length, { timeout: 10_000 }).toBe(14);
    await ok(
      scene.rest('POST', '/gamification/triggers/batch', {
        triggers: [eventOf('batch'), eventOf('batch'), eventOf('ada')],
      }),
    );
    const names = await scene.recipients();
    expect(names).toEqual([...accounts, 'repeats', 'async', 'batch', 'ada'].toSorted());
  });

  test('comes with the event and not with the claim of the campaign; never from the simulator', async () => {
    await scene.configure('mission-completed');
    const { campaignId } = await scene.game({ campaign: { claimPolicy: 'EXPLICIT' } });
    await scene.emit('bob');
    expect(await scene.bodies()).toHaveLength(1);
    await ok(scene.rest('POST', '/gamification/triggers/simulate', eventOf('bob'), scene.tenant.adminToken));
    const claim = { accountId: 'bob', idType: 'EXTERNAL' };
    await ok(scene.rest('POST', `/gamification/campaigns/${campaignId}/claim`, claim));
    await ok(scene.rest('POST', '/accounts', { externalId: 'eve' }));
    await ok(scene.rest('POST', '/gamification/triggers/simulate', eventOf('eve'), scene.tenant.adminToken));
    expect(await scene.bodies()).toHaveLength(1);
  });

  test('of a batch that is rolled back is never sent', async () => {
    await scene.configure('mission-completed');
    await scene.game();
    expect(await scene.rollBackLogin('undone')).toBe(1);
    expect(await scene.bodies()).toEqual([]);
  });

  test('is off until it is configured and after it was deleted, in every process, and no other client receives it', async () => {
    await scene.game();
    await scene.emit('before');
    await scene.configure('mission-completed');
    const other = await two.services[0].newTenant();
    const otherRest = restAs(two.services[1].baseUrl, other);
    await newGame(two.services[0], { adminToken: other.adminToken });
    await ok(otherRest('POST', '/gamification/triggers', eventOf('stranger')));
    await scene.emit('on-0', {}, 0);
    await scene.emit('on-1', {}, 1);
    expect(await scene.recipients()).toEqual(['on-0', 'on-1']);
    expect(await scene.rest('DELETE', '/webhooks/mission-completed')).toMatchObject({ status: 204 });
    await scene.emit('off-0', {}, 0);
    await scene.emit('off-1', {}, 1);
    await scene.configure('mission-completed');
    await scene.emit('again', {}, 1);
    expect(await scene.recipients()).toEqual(['again', 'on-0', 'on-1']);
  });
});

describe.each(['mission-completed', 'stock-low'])('the configuration of the %s webhook', (type) => {
  const path = `/webhooks/${type}`;

  test('is stored, answered, tested and deleted as the others are; it takes POST only and no sendWhen', async () => {
    expect(await scene.rest('GET', path)).toMatchObject({ status: 404, body: { code: 'WEBHOOK_NOT_FOUND' } });
    expect(await scene.rest('POST', `${path}/test`)).toMatchObject({ status: 404 });
    const refusal = (message: RegExp) => ({ status: 400, body: { message: expect.stringMatching(message) } });
    const settings = { endpoint: scene.receiver.url };
    expect(await scene.rest('PUT', path, { ...settings, method: 'PUT' })).toMatchObject(
      refusal(new RegExp(`POST.*${type}`)),
    );
    expect(await scene.rest('PUT', path, { ...settings, sendWhen: 'ALL_SETTLED' })).toMatchObject(
      refusal(/leave it out/),
    );
    await scene.configure(type);
    expect(await ok(scene.rest('GET', path))).toMatchObject({ endpoint: scene.receiver.url, method: 'POST' });
    expect(await ok(scene.rest('POST', `${path}/test`))).toEqual({ success: true });
    expect(JSON.parse(scene.receiver.received[0]!.body)).toMatchObject({ clientId: scene.tenant.clientId, test: true });
    expect(await scene.rest('GET', path, undefined, scene.tenant.apiKey)).toMatchObject({ status: 403 });
    expect(await scene.rest('DELETE', path)).toMatchObject({ status: 204 });
    expect(await scene.rest('DELETE', path)).toMatchObject({ status: 204 });
    expect(await scene.rest('GET', path)).toMatchObject({ status: 404 });
  });
});

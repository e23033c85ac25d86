// A mission that becomes easier or worth more while it is offered: who completes it, when, and what the answers say.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { MINUTE } from '../../../src/kernel/time/timestamp.ts';
import { completeReachedTargets } from '../../../src/triggers/complete-reached.ts';
import { ok, recorded } from '../../support/administration.ts';
import { startService, newTenant, restAs, type TestService } from '../../support/service.ts';

let service: TestService;
let audienceId: string;
let points: string;
let bonus: string;
let closing: string;

beforeAll(async () => {
  service = await startService({ journal: 'byOperation' });
  const created = async (path: string, body: object) => (await ok(service.rest('POST', path, body))).id as string;
  audienceId = await created('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  points = await created('/admin/rewards', { name: 'Points', type: 'POINTS', amount: 10 });
  bonus = await created('/admin/rewards', { name: 'Bonus', type: 'POINTS', amount: 5 });
  closing = await created('/admin/rewards', { name: 'Closing', type: 'POINTS', amount: 100 });
  await created('/admin/event-definitions', { programmaticCode: 'SALE', type: 'AMOUNT' });
  await created('/admin/event-definitions', { programmaticCode: 'OTHER', type: 'SINGLE' });
});
afterAll(() => service.close());

const missionOf = (rest: object = {}) => ({
  ...{ type: 'MISSION', name: 'Ten', programmaticCode: 'SALE', target: 10, rewardIds: [points], ...rest },
});

async function newMission(rest: object = {}) {
  return ok(service.rest('POST', '/admin/missions', { audienceId, mission: missionOf(rest) }));
}

/** An active campaign for some missions. */
async function newCampaign(missions: readonly object[], rest: object = {}) {
  const { id } = await ok(
    service.rest('POST', '/admin/campaigns', {
      ...{ name: 'Live', audienceIds: [audienceId], rewardIds: [closing], missions, ...rest },
    }),
  );
  return ok(service.rest('POST', `/admin/campaigns/${id}/activate`));
}

const improve = (id: string, body: object) => service.rest('POST', `/admin/missions/${id}/improve`, body);

/** Runs the job once, `later` milliseconds from now. */
const complete = (later = 0) =>
  completeReachedTargets(service.db, service.clientId, new Date(Date.now() + later), createCatalogs());

async function emit(accountId: string, amount: number, operationId?: string) {
  const event = { programmaticCode: 'SALE', accountId, idType: 'EXTERNAL', operationId, metadata: { amount } };
  return ok(service.rest('POST', '/gamification/triggers', event));
}

async function pointsOf(accountId: string): Promise<number> {
  return (await ok(service.rest('GET', `/loyalty/accounts/${accountId}/points?idType=EXTERNAL`))).available;
}

/** The mission as the account's lists show it. */
async function shown(accountId: string, missionId: string) {
  const lists = await Promise.all(
    ['progress', 'completed'].map((list) =>
      ok(service.rest('GET', `/v1/gamification/missions/${list}/${accountId}?idType=EXTERNAL`)),
    ),
  );
  const found = lists.flat().find((item) => item.missionId === missionId);
  return found && { progress: found.progress, target: found.target, status: found.status };
}

/** Ends the missions, so that the next test's events move only its own. */
async function endAll(...missions: readonly { readonly id: string }[]) {
  for (const { id } of missions) await ok(service.rest('POST', `/admin/missions/${id}/end`));
}

test('a lower target completes the mission for who has reached it, once each, and others continue', async () => {
  const mission = await newMission();
  await emit('nine', 9);
  await emit('eight', 8);
  await emit('three', 3);
  await emit('twelve', 12);
  expect(await pointsOf('twelve')).toBe(10);
  const { body } = await improve(mission.id, { version: 1, target: 8 });
  expect(body).toMatchObject({ reachedAccounts: 2, mission: { id: mission.id, target: 8, version: 2 }, warnings: [] });
  expect(await shown('nine', mission.id)).toEqual({ progress: 8, target: 8, status: 'ACTIVE' });
  expect(await complete()).toBe(2);
  expect(await complete()).toBe(0);
  expect(await complete(6 * MINUTE)).toBe(0);
  expect(await complete(60 * MINUTE)).toBe(0);
  for (const account of ['nine', 'eight', 'twelve']) {
    expect(await shown(account, mission.id), account).toEqual({ progress: 8, target: 8, status: 'COMPLETED' });
    expect(await pointsOf(account), account).toBe(10);
  }
  expect(await shown('three', mission.id)).toEqual({ progress: 3, target: 8, status: 'ACTIVE' });
  expect((await emit('three', 5)).rewards).toHaveLength(1);
  expect((await recorded(service, mission.id)).at(-1)).toMatchObject({
    ...{ operation: 'MissionAdminService.ImproveMission', before: { target: 10 }, after: { target: 8 } },
  });
  const { rows } = await ok(service.rest('GET', '/admin/journal?effect=TARGET_LOWERED'));
  expect(rows).toHaveLength(2);
  expect(rows[0].missions).toEqual([
    expect.objectContaining({ missionId: mission.id, previousProgress: 8, progress: 8, target: 8, completed: true }),
  ]);
  expect(rows[0].rewards).toHaveLength(1);
  await endAll(mission);
});

test('an event between the change and the job completes the mission itself, and the job pays nothing again', async () => {
  const mission = await newMission();
  await emit('between', 9);
  await ok(improve(mission.id, { version: 1, target: 8 }));
  const { rewards } = await emit('between', 1);
  expect(rewards).toHaveLength(1);
  expect(await complete()).toBe(0);
  expect(await pointsOf('between')).toBe(10);
  await endAll(mission);
});

test('a dry run answers the same, and changes nothing', async () => {
  const mission = await newMission();
  await emit('dry', 9);
  const answer = await improve(mission.id, { version: 1, target: 9, rewardIds: [bonus], dryRun: true });
  expect(answer).toMatchObject({ status: 200, body: { reachedAccounts: 1, mission: { target: 9, version: 2 } } });
  expect(await ok(service.rest('GET', `/admin/missions/${mission.id}`))).toEqual(mission);
  expect(await complete()).toBe(0);
  expect(await recorded(service, mission.id)).toHaveLength(1);
  await endAll(mission);
});

test('added rewards are for who completes the mission from now on', async () => {
  const mission = await newMission();
  await emit('before', 10);
  const { body } = await improve(mission.id, { version: 1, rewardIds: [bonus.toUpperCase()] });
  expect(body).toMatchObject({ reachedAccounts: 0, mission: { rewardIds: [points, bonus], target: 10 } });
  await emit('after', 10);
  expect(await complete()).toBe(0);
  expect([await pointsOf('before'), await pointsOf('after')]).toEqual([10, 15]);
  await endAll(mission);
});

test('the last mission of a campaign completes the campaign', async () => {
  const campaign = await newCampaign([missionOf(), missionOf({ name: 'Twenty', target: 20 })]);
  await emit('last', 15);
  expect(await pointsOf('last')).toBe(10);
  const [, twenty] = campaign.missions;
  expect(await improve(twenty.id, { version: campaign.version - 1, target: 15 })).toMatchObject({
    ...{ status: 409, body: { code: 'VERSION_CONFLICT' } },
  });
  const { mission } = await ok(improve(twenty.id, { version: campaign.version, target: 15 }));
  expect(mission).toMatchObject({ campaignId: campaign.id, target: 15 });
  expect(mission.version).toBeUndefined();
  expect((await ok(service.rest('GET', `/admin/campaigns/${campaign.id}`))).version).toBe(campaign.version + 1);
  expect(await complete()).toBe(1);
  expect(await pointsOf('last')).toBe(10 + 10 + 100);
  await ok(service.rest('POST', `/admin/campaigns/${campaign.id}/end`));
});

test('a paused campaign completes nothing until it is resumed', async () => {
  const campaign = await newCampaign([missionOf()]);
  await emit('paused', 9);
  const { version } = await ok(service.rest('POST', `/admin/campaigns/${campaign.id}/pause`));
  await ok(improve(campaign.missions[0].id, { version, target: 9 }));
  expect(await complete()).toBe(0);
  await ok(service.rest('POST', `/admin/campaigns/${campaign.id}/activate`));
  expect(await complete()).toBe(1);
  await ok(service.rest('POST', `/admin/campaigns/${campaign.id}/end`));
});

test('an account that is suspended, or in no audience any more, is left to its next event that counts', async () => {
  const some = (await ok(service.rest('POST', '/admin/audiences', { name: 'Some', kind: 'MANUAL' }))).id;
  const mission = await ok(service.rest('POST', '/admin/missions', { audienceId: some, mission: missionOf() }));
  const ids: string[] = [];
  for (const account of ['banned', 'gone']) {
    await emit(account, 1);
    ids.push((await ok(service.rest('GET', `/accounts/${account}?idType=EXTERNAL`))).id);
  }
  const path = `/gamification/audiences/${some}/accounts`;
  await ok(service.rest('POST', `${path}/assign`, { accountIds: ids }));
  for (const account of ['banned', 'gone']) await emit(account, 9);
  await ok(service.rest('POST', '/admin/accounts/banned/suspend', { idType: 'EXTERNAL', reason: 'Test' }));
  await ok(service.rest('DELETE', `${path}/remove`, { accountIds: ids.slice(1) }));
  await ok(improve(mission.id, { version: 1, target: 9 }));
  expect(await complete()).toBe(0);
  expect(await complete(6 * MINUTE)).toBe(0);
  await ok(
    service.rest('POST', '/admin/accounts/banned/resume', { idType: 'EXTERNAL', events: 'APPLY', reason: 'Test' }),
  );
  expect((await emit('banned', 1)).rewards).toHaveLength(1);
  expect((await emit('gone', 1)).rewards).toHaveLength(0);
  await endAll(mission);
});

test('progress that a transaction in progress brought under the former target is found by the second pass', async () => {
  const mission = await newMission();
  await emit('late', 5);
  await ok(improve(mission.id, { version: 1, target: 8 }));
  expect(await complete()).toBe(0);
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query('update assignment set progress = 9 where client_id = $1 and mission_id = $2', [
      service.clientId,
      mission.id,
    ]),
  );
  expect(await complete(4 * MINUTE)).toBe(0);
  expect(await complete(6 * MINUTE)).toBe(1);
  expect(await shown('late', mission.id)).toEqual({ progress: 8, target: 8, status: 'COMPLETED' });
  await endAll(mission);
});

test('a reversal takes the amount beyond the lower target first, then the completion', async () => {
  const mission = await newMission();
  await emit('reversed', 4, 'four');
  await emit('reversed', 6, 'six');
  await ok(improve(mission.id, { version: 1, target: 7 }));
  expect(await complete()).toBe(0);
  const reverse = (triggerOperationId: string, amount: number) =>
    ok(
      service.rest('POST', '/gamification/triggers/reversals', {
        ...{ programmaticCode: 'SALE', triggerOperationId, amount, operationId: `${triggerOperationId} ${amount}` },
      }),
    );
  await reverse('four', 3);
  expect(await shown('reversed', mission.id)).toEqual({ progress: 7, target: 7, status: 'COMPLETED' });
  await reverse('six', 2);
  expect(await shown('reversed', mission.id)).toEqual({ progress: 5, target: 7, status: 'ACTIVE' });
  expect(await pointsOf('reversed')).toBe(0);
  await endAll(mission);
});

test('a reversal before the job completes nothing', async () => {
  const mission = await newMission();
  await emit('early', 9, 'early nine');
  await ok(improve(mission.id, { version: 1, target: 7 }));
  await ok(
    service.rest('POST', '/gamification/triggers/reversals', {
      ...{ programmaticCode: 'SALE', triggerOperationId: 'early nine', amount: 1 },
    }),
  );
  expect(await shown('early', mission.id)).toEqual({ progress: 7, target: 7, status: 'ACTIVE' });
  expect(await complete()).toBe(1);
  expect(await pointsOf('early')).toBe(10);
  await endAll(mission);
});

test('each contradiction is refused in words', async () => {
  const mission = await newMission();
  const streak = await newMission({ type: 'STREAK', period: 'DAY', target: 5, programmaticCode: 'OTHER' });
  const again = await newMission({ repeat: {} });
  const refused = async (id: string, body: object, status: number, code: string, words: string) => {
    const answer = await improve(id, { version: 1, ...body });
    expect(answer, words).toMatchObject({ status, body: { code, message: expect.stringContaining(words) } });
  };
  await refused(mission.id, {}, 400, 'BAD_REQUEST', 'Send a lower `target`');
  await refused(mission.id, { target: 10 }, 400, 'BAD_REQUEST', 'must be lower than 10');
  await refused(mission.id, { target: 0 }, 400, 'BAD_REQUEST', 'target');
  await refused(mission.id, { target: 1.00001 }, 400, 'BAD_REQUEST', 'target');
  await refused(mission.id, { rewardIds: [points] }, 400, 'BAD_REQUEST', 'already');
  await refused(mission.id, { rewardIds: [newId()] }, 400, 'BAD_REQUEST', 'There is no reward');
  await refused(mission.id, { version: 2, target: 9 }, 409, 'VERSION_CONFLICT', 'version');
  await refused(newId(), { target: 9 }, 404, 'MISSION_NOT_FOUND', 'no mission');
  for (const { id } of [streak, again])
    await refused(id, { target: 1 }, 409, 'MISSION_IMMUTABLE', 'Leave `target` out');
  const nine = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const reward = { name: `Extra ${index}`, type: 'POINTS', amount: 1 };
      return (await ok(service.rest('POST', '/admin/rewards', reward))).id as string;
    }),
  );
  await refused(mission.id, { rewardIds: nine }, 400, 'BAD_REQUEST', '10 are possible');
  const campaign = await newCampaign([missionOf()]);
  const { version } = await ok(service.rest('POST', `/admin/campaigns/${campaign.id}/end`));
  await refused(campaign.missions[0].id, { version, target: 1 }, 409, 'CAMPAIGN_ENDED', 'ended');
  const other = await newTenant(service.db);
  const foreign = restAs(service.baseUrl, other)('POST', `/admin/missions/${mission.id}/improve`, {
    version: 1,
    target: 9,
  });
  expect(await foreign).toMatchObject({ status: 404, body: { code: 'MISSION_NOT_FOUND' } });
  await endAll(mission, streak, again);
});

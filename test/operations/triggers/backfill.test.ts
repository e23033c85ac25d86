import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteFormerMemberships } from '../../../src/audiences/members/delete-former-memberships.ts';
import { newTenant, type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences, newProduct } from '../rewards/provision.ts';

type Json = RestAnswer['body'];

const DAY_MS = 86_400_000;
const BEGIN = Date.now() - 40 * DAY_MS;

let service: TestService;
let audienceId = '';
let now = BEGIN;

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now) });
  audienceId = (await ok('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' }))['id'];
  now = Date.now();
  await allow(60);
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

/** Sets `backfillDaysMax` of the client. */
async function allow(backfillDaysMax: number): Promise<Json> {
  const { version, name, timeZone } = await ok('GET', `/admin/clients/${service.clientId}`);
  return ok('PUT', `/admin/clients/${service.clientId}`, { version, name, timeZone, backfillDaysMax });
}

const daysAgo = (days: number) => new Date(now - days * DAY_MS).toISOString();
const backfill = (triggers: readonly Json[], options: Json = {}) =>
  service.rest('POST', '/gamification/triggers/backfill', { triggers, ...options });

let codes = 0;

/** A code of AMOUNT events with a standalone mission that began 30 days ago, and an account. */
async function newGame(mission: Json = {}, event: Json = { type: 'AMOUNT' }) {
  codes += 1;
  const programmaticCode = `GAME_${codes}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode, ...event });
  const whole = {
    type: 'MISSION',
    name: programmaticCode,
    programmaticCode,
    target: 10,
    startsAt: daysAgo(30),
    ...mission,
  };
  const { id: missionId } = await ok('POST', '/admin/missions', { audienceId, mission: whole });
  const account = { accountId: `shopper ${codes}`, idType: 'EXTERNAL' };
  const eventOf = (days: number, amount = 1, more: Json = {}): Json => {
    return { programmaticCode, ...account, occurredAt: daysAgo(days), metadata: { amount }, ...more };
  };
  const query = `${encodeURIComponent(account.accountId)}?idType=EXTERNAL`;
  const progress = async () => {
    const [open] = await ok('GET', `/v1/gamification/missions/progress/${query}`);
    const [done] = await ok('GET', `/v1/gamification/missions/completed/${query}`);
    return (done ?? open)?.['progress'];
  };
  const points = async () => (await ok('GET', `/loyalty/accounts/${query.replace('?', '/points?')}`))['available'];
  return { programmaticCode, missionId: missionId as string, account, eventOf, query, progress, points };
}

const newReward = async (fields: Json): Promise<string> =>
  (await ok('POST', '/admin/rewards', { name: 'A reward', ...fields }))['id'];

describe('an event of the past', () => {
  test('counts as of its moment, and the journal tells when it occurred and that it was backfilled', async () => {
    const { eventOf, progress, programmaticCode, missionId } = await newGame();
    const { status, body } = await backfill([eventOf(20, 4, { operationId: 'past' }), eventOf(31, 2)]);
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      { result: { replayed: false, progressedMissions: [{ missionId, progress: 4 }] } },
      { result: { replayed: false, progressedMissions: [], uncountedReason: 'NOT_STARTED' } },
    ]);
    expect(body.summary).toMatchObject({ applied: 2, counted: 1, replayed: 0, refused: 0, tooLate: 0 });
    expect(await progress()).toBe(4);
    const { rows } = await ok('GET', `/admin/journal?programmaticCode=${programmaticCode}`);
    expect(rows).toHaveLength(2);
    expect(rows.find((row: Json) => row.operationId === 'past')).toMatchObject({
      effect: 'PROGRESSED',
      backfilled: true,
      occurredAt: daysAgo(20),
      missions: [{ previousProgress: 0, progress: 4 }],
    });
  });

  test('a repeat has no new effect, whichever call for events it comes by', async () => {
    const { eventOf, progress } = await newGame();
    const event = eventOf(3, 4, { operationId: 'once' });
    const first = await backfill([event, event]);
    expect(first.body.results.map(({ result }: Json) => result.replayed)).toEqual([false, true]);
    expect(first.body.summary).toMatchObject({ applied: 1, replayed: 1 });
    const again = await backfill([event]);
    expect(again.body.results[0].result).toMatchObject({ replayed: true, progressedMissions: [{ progress: 4 }] });
    const { occurredAt: _, ...present } = event;
    const emitted = await service.rest('POST', '/gamification/triggers', present);
    expect([emitted.status, emitted.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    const other = await backfill([{ ...event, metadata: { amount: 5 } }]);
    expect(other.body.results[0].error).toMatchObject({ statusCode: 400, code: 'OPERATION_ID_REUSED' });
    expect(await progress()).toBe(4);
  });

  test('the events of a call are applied in the order in which they occurred, and answered in theirs', async () => {
    const { eventOf } = await newGame();
    const { body } = await backfill([eventOf(2, 3), eventOf(5, 4), eventOf(9, 5)]);
    const steps = body.results.map(({ result: { progressedMissions } }: Json) =>
      progressedMissions.map(({ previousProgress, progress }: Json) => [previousProgress, progress]),
    );
    expect(steps).toEqual([[[9, 10]], [[5, 9]], [[0, 5]]]);
  });

  test('a RULE audience is judged with `now` as of the occurrence', async () => {
    const expression = `now < timestamp("${daysAgo(10)}")`;
    const rule = await ok('POST', '/admin/audiences', { name: `Early ${codes}`, kind: 'RULE', expression });
    const game = await newGame();
    const mission = {
      type: 'MISSION',
      name: 'Early',
      programmaticCode: game.programmaticCode,
      target: 10,
      startsAt: daysAgo(30),
    };
    const { id } = await ok('POST', '/admin/missions', { audienceId: rule['id'], mission });
    const { body } = await backfill([game.eventOf(12), game.eventOf(8)]);
    const moved = body.results.map(({ result }: Json) => result.progressedMissions.map((each: Json) => each.missionId));
    expect(moved.map((ids: string[]) => ids.includes(id))).toEqual([true, false]);
  });

  test('counts during a membership that ended long ago, which housekeeping keeps while backfill is on', async () => {
    const game = await newGame();
    const manual = (await ok('POST', '/admin/audiences', { name: `Manual ${codes}`, kind: 'MANUAL' }))['id'];
    const { programmaticCode } = game;
    const mission = { type: 'MISSION', name: 'Members', programmaticCode, target: 10, startsAt: daysAgo(30) };
    const { id } = await ok('POST', '/admin/missions', { audienceId: manual, mission });
    const { id: accountId } = await ok('POST', '/accounts', { externalId: game.account.accountId });
    const today = now;
    try {
      now = today - 20 * DAY_MS;
      await ok('POST', `/gamification/audiences/${manual}/accounts/assign`, { accountIds: [accountId] });
      now = today - 10 * DAY_MS;
      await ok('DELETE', `/gamification/audiences/${manual}/accounts/remove`, { accountIds: [accountId] });
    } finally {
      now = today;
    }
    const deleted = await deleteFormerMemberships(service.db, service.clientId, {
      now: new Date(now),
      oldestAcceptance: async () => undefined,
    });
    expect(deleted).toBe(0);
    const { body } = await backfill([game.eventOf(25), game.eventOf(15), game.eventOf(5)]);
    const moved = body.results.map(({ result }: Json) => result.progressedMissions.map((each: Json) => each.missionId));
    expect(moved.map((ids: string[]) => ids.includes(id))).toEqual([false, true, false]);
  });

  test('a period of a streak that is settled is named in the answer and in the rehearsal', async () => {
    const { eventOf, missionId } = await newGame({ type: 'STREAK', target: 20, period: 'DAY' });
    await backfill([eventOf(12), eventOf(9), eventOf(6)]);
    for (const dryRun of [true, false]) {
      const { body } = await backfill([eventOf(10)], { dryRun });
      expect(body.results[0].result).toMatchObject({ uncountedReason: 'TOO_LATE', tooLateMissionIds: [missionId] });
      expect(body.summary).toMatchObject({ applied: 1, counted: 0, tooLate: 1 });
    }
  });
});

describe('refusals', () => {
  test('each faulty event gets its own error and has no effect; its neighbours have theirs', async () => {
    const { eventOf, progress } = await newGame();
    const { occurredAt: _, ...timeless } = eventOf(1);
    const { status, body } = await backfill([
      eventOf(2, 1),
      timeless,
      eventOf(61),
      eventOf(-1),
      { ...eventOf(2), programmaticCode: 'UNKNOWN' },
      { ...eventOf(2), idType: 'INTERNAL', accountId: '01890a5d-ac96-774b-bcce-b302099a8057' },
      { ...eventOf(2), metadata: { amount: 'much' } },
      { ...eventOf(2), operationId: 'x'.repeat(129) },
      eventOf(3, 2),
    ]);
    expect(status).toBe(200);
    expect(body.results.map(({ error }: Json) => error?.code)).toEqual([
      undefined,
      'BAD_REQUEST',
      'BAD_REQUEST',
      'BAD_REQUEST',
      'EVENT_DEFINITION_NOT_FOUND',
      'ACCOUNT_NOT_FOUND',
      'BAD_REQUEST',
      'BAD_REQUEST',
      undefined,
    ]);
    expect(body.results[1].error.message).toContain('needs occurredAt');
    expect(body.results[2].error.message).toContain('more than 60 days ago');
    expect(body.summary).toMatchObject({ applied: 2, refused: 7 });
    expect(await progress()).toBe(3);
  });

  test('a client without backfill, and an API key, are refused as a whole', async () => {
    const { eventOf } = await newGame();
    const asKey = await service.rest(
      'POST',
      '/gamification/triggers/backfill',
      { triggers: [eventOf(2)] },
      service.apiKey,
    );
    expect(asKey).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    await allow(0);
    try {
      expect(await backfill([eventOf(2)])).toMatchObject({ status: 409, body: { code: 'BACKFILL_NOT_ENABLED' } });
      const file = { type: 'EVENTS', fileName: 'events.csv' };
      expect(await service.rest('POST', '/admin/imports', file)).toMatchObject({
        status: 409,
        body: { code: 'BACKFILL_NOT_ENABLED' },
      });
    } finally {
      expect((await allow(60))['backfillDaysMax']).toBe(60);
    }
    expect((await backfill([])).status).toBe(400);
    expect((await backfill(Array.from({ length: 201 }, () => eventOf(2)))).status).toBe(400);
  });

  test("another client's accounts and codes are unknown", async () => {
    const { eventOf } = await newGame();
    const other = await newTenant(service.db);
    const call = (path: string, body: Json, method = 'POST') => service.rest(method, path, body, other.adminToken);
    const client = (await call(`/admin/clients/${other.clientId}`, undefined, 'GET')).body;
    const { version, name, timeZone } = client;
    const change = { version, name, timeZone, backfillDaysMax: 60 };
    expect((await call(`/admin/clients/${other.clientId}`, change, 'PUT')).status).toBe(200);
    const { body } = await call('/gamification/triggers/backfill', { triggers: [eventOf(2)] });
    expect(body.results[0].error.code).toBe('EVENT_DEFINITION_NOT_FOUND');
  });
});

describe('rewards and webhooks', () => {
  test.each([
    ['NONE', [], ['POINTS', 'PRODUCTS']],
    ['POINTS', ['POINTS'], ['PRODUCTS']],
    ['ALL', ['POINTS', 'PRODUCTS'], []],
  ] as const)(
    '%s delivers these rewards and skips the others, once and for all',
    async (rewards, delivered, skipped) => {
      const product = await newProduct(service.db, service.clientId, 'UNLIMITED');
      const rewardIds = [
        await newReward({ type: 'POINTS', amount: 50 }),
        await newReward({ type: 'PRODUCTS', amount: 1, productId: product.id }),
      ];
      const typeOf = new Map([
        [rewardIds[0], 'POINTS'],
        [rewardIds[1], 'PRODUCTS'],
      ]);
      const { eventOf, points } = await newGame({ rewardIds });
      for (const dryRun of [true, false]) {
        const { body } = await backfill([eventOf(4, 10)], { rewards, dryRun });
        const { result } = body.results[0];
        expect(result.rewards.map(({ rewardType }: Json) => rewardType)).toEqual(delivered);
        const skips = (result.skippedRewards ?? []) as Json[];
        expect(skips.map(({ rewardId, reason }) => [typeOf.get(rewardId), reason])).toEqual(
          skipped.map((type) => [type, 'BACKFILLED']),
        );
        expect(body.summary).toMatchObject({ missionsCompleted: 1, applied: 1 });
        expect(new Map(body.summary.rewards.map(({ rewardType, earned }: Json) => [rewardType, earned]))).toEqual(
          new Map(delivered.map((type) => [type, 1])),
        );
        expect(body.summary.skippedRewards).toHaveLength(skipped.length);
        if (dryRun) expect(await points()).toBe(0);
      }
      expect(await points()).toBe(delivered[0] === 'POINTS' ? 50 : 0);
      const { body } = await backfill([eventOf(3, 10)], { rewards: 'ALL' });
      expect(body.results[0].result).toMatchObject({ rewards: [], uncountedReason: 'ALREADY_COMPLETED' });
    },
  );

  test('a campaign closes once, and its webhooks are written only where they are wanted', async () => {
    await ok('POST', '/webhooks/endpoints', {
      endpoint: { name: 'All', url: 'https://example.com/hook', types: ['MISSION_COMPLETED', 'REWARDS_DELIVERED'] },
    });
    const bonus = await newReward({ type: 'POINTS', amount: 5 });
    const written = async () =>
      (
        await service.db.unitOfWork(service.clientId, (uow) =>
          uow.query<{ count: number }>('select count(*)::int as count from outbox_message'),
        )
      )[0]!.count;
    for (const webhooks of [false, true]) {
      codes += 1;
      const programmaticCode = `CLOSING_${codes}`;
      await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'SINGLE' });
      const mission = { type: 'MISSION', name: 'One', programmaticCode, target: 1 };
      const campaign = { name: programmaticCode, audienceIds: [audienceId], rewardIds: [bonus], startsAt: daysAgo(30) };
      const { id } = await ok('POST', '/admin/campaigns', { ...campaign, missions: [mission] });
      await ok('POST', `/admin/campaigns/${id}/activate`);
      const event = { programmaticCode, accountId: `closing ${codes}`, idType: 'EXTERNAL', occurredAt: daysAgo(6) };
      const before = await written();
      const { body } = await backfill([event], { rewards: 'POINTS', webhooks });
      expect(body.summary).toMatchObject({ missionsCompleted: 1, campaignsCompleted: 1, campaignsClaimable: 0 });
      expect((await written()) - before).toBe(webhooks ? 2 : 0);
    }
  });
});

test('a rehearsal leaves nothing behind: no account, no progress, no operation, no journal', async () => {
  const { eventOf, programmaticCode } = await newGame({ rewardIds: [await newReward({ type: 'POINTS', amount: 7 })] });
  const event = eventOf(8, 10, { operationId: 'rehearsed' });
  const rehearsed = await backfill([event], { dryRun: true, rewards: 'ALL', webhooks: true });
  expect(rehearsed.body.summary).toMatchObject({ applied: 1, rewards: [{ earned: 1, pending: 0, amount: 7 }] });
  expect((await ok('GET', `/admin/journal?programmaticCode=${programmaticCode}`))['rows']).toEqual([]);
  const real = await backfill([event], { rewards: 'ALL', webhooks: true });
  expect(real.body.results[0].result.replayed).toBe(false);
  expect(real.body.summary).toEqual(rehearsed.body.summary);
});

test('a backfilled event is taken back, also in a period of a routine or a streak that was over', async () => {
  const rewardIds = [await newReward({ type: 'POINTS', amount: 30 })];
  for (const mission of [
    { rewardIds },
    { type: 'ROUTINE', period: 'DAY', rewardIds },
    { type: 'STREAK', period: 'DAY', target: 1, perPeriodTarget: 10, rewardIds },
  ]) {
    const { eventOf, points, programmaticCode } = await newGame(mission);
    const operationId = `back ${programmaticCode}`;
    await backfill([eventOf(9, 10, { operationId })], { rewards: 'ALL' });
    expect(await points()).toBe(30);
    const { missions } = await ok('POST', '/gamification/triggers/reversals', {
      programmaticCode,
      triggerOperationId: operationId,
    });
    expect(missions, JSON.stringify(mission)).toMatchObject([{ completionLost: true, progress: 0 }]);
    expect(await points()).toBe(0);
  }
});

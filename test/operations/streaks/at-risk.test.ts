import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { clientsWithDueStreaks, reviewStreaks } from '../../../src/campaigns/streak-risks/review-streaks.ts';
import { type Journey, type Player, startJourney, type Stage } from '../../journeys/stage.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney('2026-06-01T12:00Z');
});
afterAll(() => journey.service.close());

const moment = (day: number, time: string) => `2026-06-${String(day).padStart(2, '0')}T${time}Z`;

/** A client that is warned four hours before the end of a day, of runs of at least two days. */
async function newGame(mission: object = {}, timeZone = 'UTC', atRiskHours = 4): Promise<Stage> {
  journey.clock.set(moment(1, '12:00'));
  const stage = await journey.stage(timeZone);
  const { admin } = stage;
  const { version, name } = (await stage.rest('GET', `/admin/clients/${stage.clientId}`)).body;
  const streaks = { freezesMax: 3, atRiskHours, atRiskLength: 2 };
  const changed = await stage.rest('PUT', `/admin/clients/${stage.clientId}`, { version, name, timeZone, streaks });
  expect(changed).toMatchObject({ status: 200, body: { streaks } });
  await admin('/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
  const { id: audienceId } = await admin('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const draft = { type: 'STREAK', name: 'Every day', programmaticCode: 'LOGIN', endless: true, ...mission };
  await admin('/admin/missions', { audienceId, mission: draft });
  const endpoint = { name: 'App', url: 'http://127.0.0.1:9/', types: ['STREAK_AT_RISK'] };
  expect(await stage.rest('POST', '/webhooks/endpoints', { endpoint })).toMatchObject({ status: 201 });
  return stage;
}

async function keep(player: Player, ...days: readonly number[]): Promise<void> {
  for (const day of days) {
    journey.clock.set(moment(day, '12:00'));
    await player.emit('LOGIN');
  }
}

/** Runs the job at a time. @returns the data of the new webhooks */
async function warnings(stage: Stage, day: number, time: string): Promise<object[]> {
  const now = new Date(moment(day, time));
  const { db } = journey.service;
  const stored = () =>
    db.unitOfWork(stage.clientId, (uow) =>
      // The dispatcher moves what it could not deliver.
      uow.query<{ id: string; body: string }>(
        `select id, body from outbox_message where client_id = $1
         union select id, body from webhook_retry where client_id = $1 order by id`,
        [stage.clientId],
      ),
    );
  const before = new Set((await stored()).map(({ id }) => id));
  const due = await db.systemUnitOfWork((uow) => clientsWithDueStreaks(uow, now));
  if (due.includes(stage.clientId)) await reviewStreaks(db, stage.clientId, now, createCatalogs());
  return (await stored()).flatMap(({ id, body }) => (before.has(id) ? [] : [JSON.parse(body).data]));
}

test('a run whose day is not kept is announced once, some hours before the end of the day', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await keep(ada, 1, 2);
  expect(await warnings(stage, 2, '23:59')).toEqual([]);
  expect(await warnings(stage, 3, '19:59')).toEqual([]);
  expect(await warnings(stage, 3, '20:00')).toMatchObject([
    {
      accountId: await ada.id(),
      externalId: 'ada',
      missionName: 'Every day',
      current: 2,
      longest: 2,
      gracePeriodsLeft: 0,
      freezesOwned: 0,
      periodEndsAt: '2026-06-04T00:00:00Z',
      keepUntil: '2026-06-04T00:00:00Z',
    },
  ]);
  expect(await warnings(stage, 3, '21:00')).toEqual([]);
  // The run is lost, so that nobody is warned any more.
  expect(await warnings(stage, 4, '20:00')).toEqual([]);
  expect(await warnings(stage, 5, '20:00')).toEqual([]);
});

test('hours beyond the length of a period announce it once, when it begins, and leave no look due', async () => {
  const stage = await newGame({}, 'UTC', 48);
  await keep(stage.player('ada'), 1, 2);
  const isDue = async (day: number, time: string) => {
    const due = await journey.service.db.systemUnitOfWork((uow) =>
      clientsWithDueStreaks(uow, new Date(moment(day, time))),
    );
    return due.includes(stage.clientId);
  };
  expect(await isDue(2, '23:59')).toBe(false);
  expect(await warnings(stage, 3, '00:00')).toMatchObject([{ current: 2, periodEndsAt: '2026-06-04T00:00:00Z' }]);
  expect(await isDue(3, '23:59')).toBe(false);
});

test('a kept day is not announced, and the next one is', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await keep(ada, 1, 2, 3);
  expect(await warnings(stage, 3, '20:00')).toEqual([]);
  expect(await warnings(stage, 4, '20:00')).toMatchObject([{ current: 3 }]);
  journey.clock.set(moment(4, '21:00'));
  await ada.emit('LOGIN');
  expect(await warnings(stage, 5, '20:00')).toMatchObject([{ current: 4 }]);
});

test('a short run is not announced', async () => {
  const stage = await newGame();
  await keep(stage.player('ada'), 1);
  expect(await warnings(stage, 2, '20:00')).toEqual([]);
});

test('a day on which no event counts is not announced', async () => {
  // 6 June is a Saturday.
  const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SUNDAY'];
  const stage = await newGame({ conditions: { daysOfWeek: days } });
  await keep(stage.player('ada'), 4, 5);
  expect(await warnings(stage, 6, '20:00')).toEqual([]);
  expect(await warnings(stage, 7, '20:00')).toMatchObject([{ current: 2 }]);
});

test('a day that a freeze would bridge is announced with the later time at which the run is lost', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await keep(ada, 1, 2);
  await stage.admin(`/admin/accounts/${await ada.id()}/streak-freezes`, { reason: 'An apology.' });
  expect(await warnings(stage, 3, '20:00')).toMatchObject([
    { freezesOwned: 1, periodEndsAt: '2026-06-04T00:00:00Z', keepUntil: '2026-06-05T00:00:00Z' },
  ]);
  expect(await warnings(stage, 4, '20:00')).toMatchObject([{ freezesOwned: 0, keepUntil: '2026-06-05T00:00:00Z' }]);
});

test('the end of the day is that of the account', async () => {
  const stage = await newGame({}, 'Asia/Tokyo');
  await keep(stage.player('ada'), 1, 2);
  // 3 June ends in Tokyo at 15:00 UTC.
  expect(await warnings(stage, 3, '10:59')).toEqual([]);
  expect(await warnings(stage, 3, '11:00')).toMatchObject([{ periodEndsAt: '2026-06-03T15:00:00Z' }]);
});

test('the runs of more accounts than a batch has are announced, each once', async () => {
  const stage = await newGame();
  const names = Array.from({ length: 230 }, (_, index) => `player-${index}`);
  for (const day of [1, 2]) {
    journey.clock.set(moment(day, '12:00'));
    for (let first = 0; first < names.length; first += 100) {
      const triggers = names.slice(first, first + 100).map((accountId) => {
        return { programmaticCode: 'LOGIN', accountId, idType: 'EXTERNAL' };
      });
      const sent = await stage.rest('POST', '/gamification/triggers/batch', { triggers });
      expect(sent.body.results.filter((each: { error?: object }) => each.error !== undefined)).toEqual([]);
    }
  }
  const told = (await warnings(stage, 3, '20:00')) as { externalId: string }[];
  expect(new Set(told.map(({ externalId }) => externalId)).size).toBe(230);
  expect(told).toHaveLength(230);
});

test('the account of a run that was deleted is not announced', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await keep(ada, 1, 2);
  expect((await stage.rest('DELETE', `/accounts/${await ada.id()}`)).status).toBeLessThan(300);
  expect(await warnings(stage, 3, '20:00')).toEqual([]);
  expect(await warnings(stage, 4, '20:00')).toEqual([]);
});

/** Sends a change of the client's settings. */
async function change(stage: Stage, sent: object): Promise<void> {
  const { version, name, timeZone } = (await stage.rest('GET', `/admin/clients/${stage.clientId}`)).body;
  const changed = await stage.rest('PUT', `/admin/clients/${stage.clientId}`, { version, name, timeZone, ...sent });
  expect(changed).toMatchObject({ status: 200 });
}

test.each(['the account', 'support', 'the client'])(
  'a zone in which the day ends earlier, set by %s, moves the warning',
  async (who) => {
    const stage = await newGame();
    const ada = stage.player('ada');
    await keep(ada, 1, 2);
    const id = await ada.id();
    journey.clock.set(moment(3, '01:00'));
    const timeZone = 'Asia/Tokyo';
    if (who === 'the account') await stage.rest('PATCH', `/accounts/${id}`, { timeZone });
    else if (who === 'support')
      await stage.admin(`/admin/accounts/${id}/edit`, { account: { timeZone }, reason: 'She has moved.' });
    else await change(stage, { timeZone });
    // The day of the change is not missed. 4 June ends in Tokyo at 15:00 UTC.
    for (const hour of ['01', '11', '20']) expect(await warnings(stage, 3, `${hour}:00`)).toEqual([]);
    expect(await warnings(stage, 4, '10:59')).toEqual([]);
    expect(await warnings(stage, 4, '11:00')).toMatchObject([{ periodEndsAt: '2026-06-04T15:00:00Z' }]);
    expect(await warnings(stage, 4, '20:00')).toEqual([]);
  },
);

test('more hours than before warn earlier', async () => {
  const stage = await newGame();
  await keep(stage.player('ada'), 1, 2);
  await change(stage, { streaks: { freezesMax: 3, atRiskHours: 8, atRiskLength: 2 } });
  expect(await warnings(stage, 3, '15:59')).toEqual([]);
  expect(await warnings(stage, 3, '16:00')).toHaveLength(1);
});

test('a day whose event was taken back is announced', async () => {
  const stage = await newGame();
  await keep(stage.player('ada'), 1, 2, 3);
  const { rows } = (await stage.rest('GET', '/admin/journal?limit=1')).body;
  await stage.rest('POST', '/gamification/triggers/reversals', { journalEntryId: rows[0].id });
  expect(await warnings(stage, 3, '19:59')).toEqual([]);
  expect(await warnings(stage, 3, '20:00')).toMatchObject([{ current: 2, periodEndsAt: '2026-06-04T00:00:00Z' }]);
});

test('a look does not hinder the undo of a merge, and a period is announced once before and after both', async () => {
  const stage = await newGame();
  const [ada, bob] = [stage.player('ada'), stage.player('bob')];
  await keep(ada, 1, 2);
  await keep(bob, 1, 2);
  const call = { intoAccountId: 'bob', idType: 'EXTERNAL', progress: 'MAX' };
  const { mergeId } = (await stage.rest('POST', '/accounts/ada/merge', call)).body;
  expect(await warnings(stage, 3, '20:00')).toMatchObject([{ externalId: 'bob' }]);
  const undone = await stage.rest('POST', `/accounts/bob/merges/${mergeId}/undo`, { idType: 'EXTERNAL' });
  expect(undone, JSON.stringify(undone.body)).toMatchObject({ status: 200 });
  expect(await warnings(stage, 3, '21:00')).toMatchObject([{ externalId: 'ada' }]);
});

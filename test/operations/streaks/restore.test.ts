import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import { type Journey, type Player, startJourney, type Stage } from '../../journeys/stage.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney('2026-06-01T12:00Z');
});
afterAll(async () => {
  expect(await findDifferences(journey.service.db)).toEqual([]);
  await journey.service.close();
});

function at(day: number, time = '12:00'): void {
  journey.clock.set(`2026-06-${String(day).padStart(2, '0')}T${time}Z`);
}

type Game = { readonly stage: Stage; readonly ada: Player; readonly missionId: string };

/** A daily streak, an account, and its events at noon of some days. */
async function newGame(mission: object, ...days: readonly number[]): Promise<Game> {
  at(1);
  const stage = await journey.stage('UTC');
  const { version, name, timeZone } = (await stage.rest('GET', `/admin/clients/${stage.clientId}`)).body;
  const settings = { version, name, timeZone, streaks: { freezesMax: 3, atRiskHours: 4 } };
  expect(await stage.rest('PUT', `/admin/clients/${stage.clientId}`, settings)).toMatchObject({ status: 200 });
  const { id: audienceId } = await stage.admin('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  await stage.admin('/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
  const draft = { type: 'STREAK', name: 'Every day', programmaticCode: 'LOGIN', endless: true, ...mission };
  const { id: missionId } = await stage.admin('/admin/missions', { audienceId, mission: draft });
  const game = { stage, ada: stage.player('ada'), missionId };
  await keep(game, ...days);
  return game;
}

async function keep({ ada }: Game, ...days: readonly number[]): Promise<void> {
  for (const day of days) {
    at(day);
    await ada.emit('LOGIN');
  }
}

async function restore({ stage, ada, missionId }: Game, body: object = {}) {
  const path = `/admin/accounts/${await ada.id()}/streaks/restore`;
  return stage.rest('POST', path, { missionId, reason: 'The app was down.', ...body });
}

async function run({ ada }: Game): Promise<object> {
  const [{ streak }] = await ada.feed();
  return streak;
}

test('the last run is restored: it ends yesterday, and goes on by the next event', async () => {
  const game = await newGame({}, 1, 2, 3);
  at(6);
  expect(await run(game)).toMatchObject({ current: 0, longest: 3 });
  expect(await restore(game)).toMatchObject({
    status: 200,
    body: { previous: 0, current: 3, longest: 3, keepUntil: '2026-06-07T00:00:00Z' },
  });
  expect(await run(game)).toMatchObject({ current: 3 });
  expect(await game.ada.emit('LOGIN')).toMatchObject({ progressedMissions: [{ previousProgress: 3, progress: 4 }] });
});

test('a lost run and the one after it become one', async () => {
  const game = await newGame({}, 1, 2, 3, 5);
  expect(await run(game)).toMatchObject({ current: 1, longest: 3 });
  expect(await restore(game)).toMatchObject({ body: { previous: 1, current: 4, longest: 4 } });
  await keep(game, 6);
  expect(await run(game)).toMatchObject({ current: 5 });
});

test('a stated length is that of the run with the present day, if that is kept', async () => {
  const game = await newGame({}, 1);
  expect(await restore(game)).toMatchObject({ status: 409, body: { code: 'STREAK_NOT_RESTORABLE' } });
  expect(await restore(game, { length: 30 })).toMatchObject({ body: { previous: 1, current: 30, longest: 30 } });
  expect(await run(game)).toMatchObject({ current: 30 });
  await keep(game, 2);
  expect(await run(game)).toMatchObject({ current: 31 });
});

test('an account without an event of the mission gets a run, too', async () => {
  const game = await newGame({});
  await game.ada.id();
  expect(await restore(game, { length: 7 })).toMatchObject({ body: { previous: 0, current: 7 } });
  await keep(game, 1);
  expect(await run(game)).toMatchObject({ current: 8 });
});

test('a dry run answers the same and changes nothing; an operation id restores once', async () => {
  const game = await newGame({}, 1, 2);
  at(5);
  const dry = await restore(game, { dryRun: true });
  expect(dry).toMatchObject({ status: 200, body: { previous: 0, current: 2 } });
  expect(await run(game)).toMatchObject({ current: 0 });
  const done = await restore(game, { operationId: 'once' });
  expect(done.body).toEqual(dry.body);
  at(5, '13:00');
  expect((await restore(game, { operationId: 'once' })).body).toEqual(done.body);
  expect(await run(game)).toMatchObject({ current: 2 });
});

test('a restored run completes nothing and pays nothing; the next event pays the milestones that it reaches', async () => {
  const game = await newGame({ milestones: [{ length: 5, freezes: 1 }] }, 1);
  await restore(game, { length: 9 });
  expect(await game.ada.get('/v1/accounts/{id}/streak-freezes')).toMatchObject({ owned: 0 });
  await keep(game, 2);
  expect(await game.ada.get('/v1/accounts/{id}/streak-freezes')).toMatchObject({ owned: 1 });
  const finite = await newGame({ endless: undefined, target: 10 }, 1);
  expect(await restore(finite, { length: 10 })).toMatchObject({ body: { code: 'STREAK_NOT_RESTORABLE' } });
  expect(await restore(finite, { length: 9 })).toMatchObject({ body: { current: 9 } });
  at(2);
  const [completed] = (await finite.ada.emit('LOGIN')).progressedMissions;
  expect(completed).toMatchObject({ status: 'COMPLETED', progress: 10 });
});

test('a reversal of an earlier event does not change a restored run, and one of today does', async () => {
  const game = await newGame({}, 1, 2, 4);
  const { rows } = (await game.stage.rest('GET', '/admin/journal')).body;
  await restore(game, { length: 20 });
  const reverse = (journalEntryId: string) =>
    game.stage.rest('POST', '/gamification/triggers/reversals', { journalEntryId });
  expect(await reverse(rows[1].id)).toMatchObject({ status: 200 });
  expect(await run(game)).toMatchObject({ current: 20 });
  expect(await reverse(rows[0].id)).toMatchObject({ status: 200 });
  expect(await run(game)).toMatchObject({ current: 19 });
});

test('a freeze that bridged one of the last missed days comes back', async () => {
  const game = await newGame({}, 1);
  await game.stage.admin(`/admin/accounts/${await game.ada.id()}/streak-freezes`, { reason: 'An apology.' });
  at(4, '01:00');
  expect(await game.ada.get('/v1/accounts/{id}/streak-freezes')).toMatchObject({ owned: 0 });
  await restore(game);
  expect(await game.ada.get('/v1/accounts/{id}/streak-freezes')).toMatchObject({
    owned: 1,
    rows: [{ type: 'RETURN' }, {}, {}],
  });
});

test('a freeze of days ago stays used, also if nobody has looked since', async () => {
  const game = await newGame({}, 1);
  await game.stage.admin(`/admin/accounts/${await game.ada.id()}/streak-freezes`, { reason: 'An apology.' });
  at(8);
  await restore(game, { length: 5 });
  expect(await game.ada.get('/v1/accounts/{id}/streak-freezes')).toMatchObject({
    owned: 0,
    rows: [{ type: 'USE', periodKey: '2026-06-02' }, {}],
  });
});

test('the audit log, the timeline and the journal have the restoring, and it cannot be taken back as an event', async () => {
  const game = await newGame({}, 1, 2);
  at(5);
  await restore(game);
  const id = await game.ada.id();
  const timeline = async (kind: string) =>
    (await game.stage.rest('GET', `/admin/accounts/${id}/timeline?kinds=${kind}`)).body.rows;
  const note = 'Every day 0 -> 2: The app was down.';
  expect(await timeline('CHANGE')).toMatchObject([
    { change: { operation: 'AccountAdminService.RestoreStreak', note } },
  ]);
  const missions = [{ missionId: game.missionId, previousProgress: 0, progress: 2 }];
  const [entry] = await timeline('EVENT');
  expect(entry).toMatchObject({ event: { effect: 'RESTORED', missions } });
  const { rows } = (await game.stage.rest('GET', '/admin/journal?effect=RESTORED')).body;
  expect(rows).toMatchObject([{ id: entry.event.id, accountId: id, missions }]);
  const reversed = await game.stage.rest('POST', '/gamification/triggers/reversals', { journalEntryId: rows[0].id });
  expect(reversed).toMatchObject({ status: 404, body: { code: 'TRIGGER_NOT_FOUND' } });
});

test('only the run of an open streak of a known mission is restored', async () => {
  const game = await newGame({}, 1);
  expect(await restore(game, { missionId: '00000000-0000-7000-8000-000000000000' })).toMatchObject({ status: 404 });
  const { id: audienceId } = await game.stage.admin('/admin/audiences', { name: 'All', kind: 'EVERYONE' });
  const draft = { type: 'MISSION', name: 'Three', programmaticCode: 'LOGIN', target: 3 };
  const { id: missionId } = await game.stage.admin('/admin/missions', { audienceId, mission: draft });
  const refused = { status: 409, body: { code: 'STREAK_NOT_RESTORABLE' } };
  expect(await restore(game, { missionId, length: 3 })).toMatchObject(refused);
  await game.stage.admin(`/admin/accounts/${await game.ada.id()}/suspend`, { reason: 'Looks odd.' });
  expect(await restore(game, { length: 3 })).toMatchObject({ status: 409, body: { code: 'ACCOUNT_SUSPENDED' } });
});

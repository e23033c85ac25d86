import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { reviewStreaks } from '../../../src/campaigns/streak-risks/review-streaks.ts';
import { type Journey, type Player, startJourney, type Stage } from '../../journeys/stage.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney('2026-06-01T12:00Z');
});
afterAll(async () => {
  expect(await findDifferences(journey.service.db)).toEqual([]);
  await journey.service.close();
});

/** A date of June, or another month. */
const date = (day: number, month = '06') => `2026-${month}-${String(day).padStart(2, '0')}`;

function at(day: number, time = '12:00'): void {
  journey.clock.set(`${date(day)}T${time}Z`);
}

/** A client whose accounts announce ten days a year and keep three freezes, with a streak of each unit. */
async function newGame(missions: readonly object[] = [{ period: 'DAY' }], settings: object = {}): Promise<Stage> {
  at(1);
  const stage = await journey.stage('UTC');
  await set(stage, { freezesMax: 3, vacationDaysMax: 10, ...settings });
  const { admin } = stage;
  const { id: audienceId } = await admin('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  await admin('/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
  for (const [index, mission] of missions.entries()) {
    const draft = { type: 'STREAK', name: `M${index}`, programmaticCode: 'LOGIN', endless: true, ...mission };
    await admin('/admin/missions', { audienceId, mission: draft });
  }
  return stage;
}

async function set(stage: Stage, streaks: object): Promise<void> {
  const { version, name, timeZone } = (await stage.rest('GET', `/admin/clients/${stage.clientId}`)).body;
  const changed = await stage.rest('PUT', `/admin/clients/${stage.clientId}`, { version, name, timeZone, streaks });
  expect(changed).toMatchObject({ status: 200, body: { streaks } });
}

const span = (since: number, until: number) => ({ since: date(since), until: date(until) });
const vacations = (player: Player) => player.get('/v1/accounts/{id}/vacations');

/** Announces vacations in place of all days ahead; any answer. */
async function announce(stage: Stage, player: Player, ...spans: readonly object[]) {
  return stage.rest('PUT', `/v1/accounts/${await player.id()}/vacations`, { vacations: spans });
}

async function runs(player: Player): Promise<number[]> {
  const items: { name: string; streak: { current: number } }[] = await player.feed();
  return items.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(({ streak }) => streak.current);
}

/** Sends an event at noon of each day. */
async function keep(player: Player, ...days: readonly number[]): Promise<void> {
  for (const day of days) {
    at(day);
    await player.emit('LOGIN');
  }
}

test('days of a vacation are not missed, take no freeze, and may be kept', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await keep(ada, 1);
  await stage.admin(`/admin/accounts/${await ada.id()}/streak-freezes`, { reason: 'An apology.' });
  expect(await announce(stage, ada, span(2, 5))).toMatchObject({
    status: 200,
    body: { rows: [span(2, 5)], daysMax: 10, daysLeft: 7, today: date(1) },
  });
  const [{ streak }] = await ada.feed();
  expect(streak.keepUntil).toBe('2026-06-07T00:00:00Z');
  await keep(ada, 3);
  at(5);
  expect(await runs(ada)).toEqual([2]);
  expect(await ada.get('/v1/accounts/{id}/streak-freezes')).toMatchObject({ owned: 1 });
  at(7);
  expect(await ada.get('/v1/accounts/{id}/streak-freezes')).toMatchObject({
    owned: 0,
    rows: [{ periodKey: date(5) }, {}],
  });
  expect(await runs(ada)).toEqual([0]);
});

test('weeks and months with a day of a vacation are not missed', async () => {
  const stage = await newGame([{ period: 'DAY' }, { period: 'WEEK' }, { period: 'MONTH' }]);
  const ada = stage.player('ada');
  await keep(ada, 1);
  await announce(stage, ada, span(12, 13), { since: '2026-07-31', until: '2026-08-01' });
  at(21);
  expect(await runs(ada)).toEqual([0, 1, 1]);
  at(22);
  // The week from 15 June has no day of it.
  expect(await runs(ada)).toEqual([0, 0, 1]);
  journey.clock.set('2026-08-31T12:00Z');
  expect(await runs(ada)).toEqual([0, 0, 1]);
  journey.clock.set('2026-09-01T12:00Z');
  expect(await runs(ada)).toEqual([0, 0, 0]);
});

test('only days that have not begun are announced, changed and withdrawn', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await keep(ada, 1);
  expect(await announce(stage, ada, span(1, 3))).toMatchObject({ status: 409, body: { code: 'VACATION_DAYS_BEGUN' } });
  await announce(stage, ada, span(2, 4), span(6, 8));
  at(3);
  expect(await announce(stage, ada, span(2, 5))).toMatchObject({ status: 200, body: { rows: [span(2, 5)] } });
  expect(await announce(stage, ada)).toMatchObject({ status: 200, body: { rows: [span(2, 4)], daysLeft: 8 } });
  expect(await announce(stage, ada, span(4, 6))).toMatchObject({ body: { rows: [span(2, 6)], daysLeft: 6 } });
  const again = await announce(stage, ada, span(4, 6));
  expect(again).toMatchObject({ status: 200, body: { rows: [span(2, 6)] } });
  expect(await vacations(ada)).toEqual(again.body);
  at(6);
  expect(await runs(ada)).toEqual([1]);
});

test('an account announces only so many days of a calendar year', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await ada.id();
  const refused = { status: 409, body: { code: 'TOO_MANY_VACATION_DAYS' } };
  expect(await announce(stage, ada, span(2, 13))).toMatchObject(refused);
  expect(await announce(stage, ada, span(2, 8), span(20, 25))).toMatchObject(refused);
  expect(await vacations(ada)).toMatchObject({ rows: [], daysLeft: 10 });
  const newYear = { since: '2026-12-22', until: '2027-01-11' };
  expect(await announce(stage, ada, newYear)).toMatchObject({ status: 200, body: { daysLeft: 0 } });
  await set(stage, { freezesMax: 0, vacationDaysMax: 5 });
  expect(await announce(stage, ada, { since: '2026-12-23', until: '2027-01-11' })).toMatchObject({ status: 200 });
  expect(await announce(stage, ada, newYear)).toMatchObject(refused);
  await set(stage, { freezesMax: 0 });
  expect(await announce(stage, ada, span(10, 11))).toMatchObject(refused);
  expect(await announce(stage, ada)).toMatchObject({ status: 200, body: { rows: [], daysMax: 0 } });
});

test('dates that do not exist, in the wrong order or years ahead are refused', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await ada.id();
  const wrong = [
    { since: '2026-06-31', until: '2026-07-03' },
    { since: '2026-07-03', until: '2026-07-03' },
    { since: '2026-7-03', until: '2026-07-05' },
    { since: '2028-07-03', until: '2028-07-05' },
  ];
  for (const each of wrong) expect(await announce(stage, ada, each)).toMatchObject({ status: 400 });
  expect(await stage.rest('PUT', '/v1/accounts/nobody/vacations', { idType: 'EXTERNAL', vacations: [] })).toMatchObject(
    {
      status: 404,
    },
  );
  expect(await vacations(stage.player('nobody'))).toMatchObject({ rows: [], daysLeft: 10, today: date(1) });
});

test('a day of a vacation is one of the account, also in another zone', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await stage.rest('PATCH', `/accounts/${await ada.id()}`, { timeZone: 'Pacific/Kiritimati' });
  expect(await vacations(ada)).toMatchObject({ today: date(2) });
  expect(await announce(stage, ada, span(2, 3))).toMatchObject({ body: { code: 'VACATION_DAYS_BEGUN' } });
  await keep(ada, 1);
  await announce(stage, ada, span(3, 4));
  // 4 June is over on Kiritimati.
  at(4, '10:00');
  expect(await runs(ada)).toEqual([0]);
  at(4, '09:59');
  expect(await runs(ada)).toEqual([1]);
});

test('nobody is warned on a day of a vacation', async () => {
  const stage = await newGame([{ period: 'DAY' }], { atRiskHours: 4 });
  const ada = stage.player('ada');
  const endpoint = { name: 'App', url: 'http://127.0.0.1:9/', types: ['STREAK_AT_RISK'] };
  expect(await stage.rest('POST', '/webhooks/endpoints', { endpoint })).toMatchObject({ status: 201 });
  await keep(ada, 1);
  await announce(stage, ada, span(2, 4));
  const warned = async (day: number) => {
    const { db } = journey.service;
    await reviewStreaks(db, stage.clientId, new Date(`${date(day)}T20:00Z`), createCatalogs());
    const rows = await db.unitOfWork(stage.clientId, (uow) =>
      uow.query<{ body: string }>('select body from outbox_message where client_id = $1', [stage.clientId]),
    );
    return rows.map(({ body }) => JSON.parse(body).data.periodEndsAt);
  };
  expect(await warned(2)).toEqual([]);
  expect(await warned(3)).toEqual([]);
  expect(await warned(4)).toEqual(['2026-06-05T00:00:00Z']);
});

test('merged accounts have the vacations of both, and the undo parts them', async () => {
  const stage = await newGame();
  const [ada, bob] = [stage.player('ada'), stage.player('bob')];
  await keep(ada, 1);
  await announce(stage, ada, span(2, 4));
  await bob.id();
  await announce(stage, bob, span(3, 6));
  const path = `/accounts/${await bob.id()}/merge`;
  const merged = await stage.rest('POST', path, { intoAccountId: await ada.id(), progress: 'MAX' });
  expect(merged).toMatchObject({ status: 200, body: { undoable: true } });
  expect(await vacations(ada)).toMatchObject({ rows: [span(2, 6)], daysLeft: 6 });
  at(6);
  expect(await runs(ada)).toEqual([1]);
  at(1, '13:00');
  const undone = await stage.rest('POST', `/accounts/${await ada.id()}/merges/${merged.body.mergeId}/undo`, {});
  expect(undone.status).toBeLessThan(300);
  expect(await vacations(ada)).toMatchObject({ rows: [span(2, 4)] });
  expect(await vacations(bob)).toMatchObject({ rows: [span(3, 6)] });
});

test('a vacation of the other account excuses no day that was missed before the merge', async () => {
  const stage = await newGame();
  const [ada, bob] = [stage.player('ada'), stage.player('bob')];
  await keep(ada, 1);
  await bob.id();
  await announce(stage, bob, span(2, 8));
  at(7);
  expect(await runs(ada)).toEqual([0]);
  const path = `/accounts/${await bob.id()}/merge`;
  await stage.rest('POST', path, { intoAccountId: await ada.id(), progress: 'MAX' });
  expect(await runs(ada)).toEqual([0]);
  await keep(ada, 7);
  expect(await runs(ada)).toEqual([1]);
});

test('an event and a reversal after a vacation find the run, and a suspended account announces none', async () => {
  const stage = await newGame([{ period: 'DAY' }], { freezesMax: 0 });
  const ada = stage.player('ada');
  await keep(ada, 1);
  await announce(stage, ada, span(2, 5));
  at(5);
  expect(await ada.emit('LOGIN')).toMatchObject({ progressedMissions: [{ previousProgress: 1, progress: 2 }] });
  const { rows } = (await stage.rest('GET', '/admin/journal')).body;
  await stage.rest('POST', '/gamification/triggers/reversals', { journalEntryId: rows[0].id });
  expect(await runs(ada)).toEqual([1]);
  await stage.admin(`/admin/accounts/${await ada.id()}/suspend`, { reason: 'Looks odd.' });
  expect(await announce(stage, ada)).toMatchObject({ status: 409, body: { code: 'ACCOUNT_SUSPENDED' } });
});

test('an erased account has no vacations, and an export has those of an account', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  const id = await ada.id();
  await announce(stage, ada, span(2, 5));
  const exported = await stage.rest('GET', `/admin/accounts/${id}/export.json`);
  expect(JSON.stringify(exported.body)).toContain('vacations');
  expect(await stage.rest('POST', `/accounts/${id}/erase`, {})).toMatchObject({ status: 200 });
  const left = await journey.service.db.unitOfWork(stage.clientId, (uow) =>
    uow.query('select from vacation where client_id = $1', [stage.clientId]),
  );
  expect(left).toEqual([]);
});

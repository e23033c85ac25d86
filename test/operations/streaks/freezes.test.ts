import { afterAll, beforeAll, expect, test } from 'vitest';
import { differences } from '../rewards/provision.ts';
import { type Journey, type Player, startJourney, type Stage } from '../../journeys/stage.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney('2026-06-01T12:00Z');
});
afterAll(() => journey.service.close());

/** Noon of a day of June, or another time of it. */
function at(day: number, time = '12:00'): void {
  journey.clock.set(`2026-06-${String(day).padStart(2, '0')}T${time}Z`);
}

/** A client whose accounts keep three freezes at ten points, with a daily streak for each code. */
async function newGame(codes: readonly string[] = ['LOGIN'], changes: object = {}): Promise<Stage> {
  at(1);
  const stage = await journey.stage('UTC');
  const { admin } = stage;
  const { version, name, timeZone } = (await stage.rest('GET', `/admin/clients/${stage.clientId}`)).body;
  const settings = { version, name, timeZone, streaks: { freezesMax: 3, freezePrice: 10 } };
  expect(await stage.rest('PUT', `/admin/clients/${stage.clientId}`, settings)).toMatchObject({ status: 200 });
  const { id: audienceId } = await admin('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  for (const programmaticCode of codes) {
    await admin('/admin/event-definitions', { programmaticCode, type: 'SINGLE' });
    const mission = { type: 'STREAK', name: programmaticCode, programmaticCode, endless: true, ...changes };
    await admin('/admin/missions', { audienceId, mission });
  }
  return stage;
}

const freezes = (player: Player) => player.get('/v1/accounts/{id}/streak-freezes');

/** Support gives freezes. */
async function grant(stage: Stage, player: Player, count = 1): Promise<void> {
  await stage.admin(`/admin/accounts/${await player.id()}/streak-freezes`, { count, reason: 'An apology.' });
}

async function runs(player: Player): Promise<number[]> {
  const items: { name: string; streak: { current: number } }[] = await player.feed();
  return items.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(({ streak }) => streak.current);
}

/** Sends an event at noon of each day. */
async function keep(player: Player, code: string, ...days: readonly number[]): Promise<void> {
  for (const day of days) {
    at(day);
    await player.emit(code);
  }
}

test('a freeze bridges a missed day by itself, and the next one is lost without another', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await keep(ada, 'LOGIN', 1, 2);
  await grant(stage, ada);
  expect(await freezes(ada)).toMatchObject({ owned: 1, most: 3, price: 10, rows: [{ type: 'GRANT', amount: 1 }] });
  const [{ streak }] = await ada.feed();
  expect(streak.keepUntil).toBe('2026-06-05T00:00:00Z');
  at(4);
  expect(await runs(ada)).toEqual([2]);
  expect(await freezes(ada)).toMatchObject({
    owned: 0,
    rows: [
      { type: 'USE', amount: -1, effectiveAt: '2026-06-04T00:00:00Z', periodKey: '2026-06-03' },
      { type: 'GRANT' },
    ],
  });
  await keep(ada, 'LOGIN', 4);
  expect(await runs(ada)).toEqual([3]);
  at(6);
  expect(await runs(ada)).toEqual([0]);
});

test('a freeze that comes after the end of a missed day does not bridge it', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await keep(ada, 'LOGIN', 1);
  at(3, '00:00');
  await grant(stage, ada);
  expect(await runs(ada)).toEqual([0]);
  expect(await freezes(ada)).toMatchObject({ owned: 1 });
});

test('grace periods go first', async () => {
  const stage = await newGame(['LOGIN'], { gracePeriods: 1 });
  const ada = stage.player('ada');
  await keep(ada, 'LOGIN', 1);
  await grant(stage, ada);
  at(3);
  expect(await freezes(ada)).toMatchObject({ owned: 1 });
  at(4);
  expect(await freezes(ada)).toMatchObject({ owned: 0 });
  expect(await runs(ada)).toEqual([1]);
});

test('of several streaks that end at once the one of the lower id is bridged', async () => {
  const stage = await newGame(['A', 'B']);
  const ada = stage.player('ada');
  await keep(ada, 'A', 1);
  await keep(ada, 'B', 1);
  await grant(stage, ada);
  at(3);
  // Ids grow with time.
  expect(await runs(ada)).toEqual([1, 0]);
  expect(await freezes(ada)).toMatchObject({ owned: 0 });
});

test('a late event that keeps the day gives the freeze back', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await keep(ada, 'LOGIN', 1);
  await grant(stage, ada);
  at(3, '08:00');
  expect(await freezes(ada)).toMatchObject({ owned: 0 });
  await ada.emit('LOGIN', { occurredAt: '2026-06-02T20:00Z' });
  expect(await freezes(ada)).toMatchObject({
    owned: 1,
    rows: [{ type: 'RETURN', amount: 1, periodKey: '2026-06-02' }, { type: 'USE' }, { type: 'GRANT' }],
  });
  expect(await runs(ada)).toEqual([2]);
});

test('freezes from before the first streak are owned, and not more than the most', async () => {
  const stage = await newGame([]);
  const ada = stage.player('ada');
  await grant(stage, ada, 2);
  expect(await freezes(ada)).toMatchObject({ owned: 2, most: 3 });
  const more = await stage.rest('POST', `/admin/accounts/${await ada.id()}/streak-freezes`, { count: 2, reason: 'x' });
  expect(more).toMatchObject({ status: 409, body: { code: 'TOO_MANY_STREAK_FREEZES' } });
});

test('freezes are bought for points, once for an operation id, up to the most that an account keeps', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  const id = await ada.id();
  const buy = (body: object) => stage.rest('POST', `/v1/accounts/${id}/streak-freezes`, body);
  expect(await buy({})).toMatchObject({ status: 409, body: { code: 'INSUFFICIENT_POINTS' } });
  await stage.admin(`/admin/accounts/${id}/points/adjust`, { amount: 45, reason: 'A gift.' });
  const bought = await buy({ count: 2, operationId: 'two' });
  expect(bought).toMatchObject({ status: 200, body: { owned: 2, entry: { type: 'BUY', amount: 2, points: 20 } } });
  expect((await buy({ count: 2, operationId: 'two' })).body).toEqual(bought.body);
  expect(await buy({ count: 1, operationId: 'two' })).toMatchObject({ body: { code: 'OPERATION_ID_REUSED' } });
  expect(await ada.points()).toMatchObject({ available: 25 });
  expect(await buy({ count: 2 })).toMatchObject({ status: 409, body: { code: 'TOO_MANY_STREAK_FREEZES' } });
  expect(await ada.points()).toMatchObject({ available: 25 });
  expect(await freezes(ada)).toMatchObject({ owned: 2 });
});

test('a client without a price sells none, and one without freezes uses none', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await keep(ada, 'LOGIN', 1);
  await grant(stage, ada);
  const set = async (streaks: object) => {
    const { version, name, timeZone } = (await stage.rest('GET', `/admin/clients/${stage.clientId}`)).body;
    const change = { version, name, timeZone, streaks };
    expect(await stage.rest('PUT', `/admin/clients/${stage.clientId}`, change)).toMatchObject({
      status: 200,
      body: { streaks },
    });
  };
  await set({ freezesMax: 3 });
  expect(await stage.rest('POST', `/v1/accounts/${await ada.id()}/streak-freezes`, {})).toMatchObject({
    status: 409,
    body: { code: 'STREAK_FREEZES_NOT_SOLD' },
  });
  await set({ freezesMax: 0 });
  at(3);
  expect(await runs(ada)).toEqual([0]);
});

test('a milestone gives freezes once, a reversal takes them back, and the next run to it gives them again', async () => {
  const stage = await newGame(['LOGIN'], { milestones: [{ length: 2, freezes: 2 }] });
  const ada = stage.player('ada');
  await keep(ada, 'LOGIN', 1);
  const [{ streak }] = await ada.feed();
  expect(streak.nextMilestone).toMatchObject({ length: 2, freezes: 2 });
  await keep(ada, 'LOGIN', 2);
  expect(await freezes(ada)).toMatchObject({ owned: 2, rows: [{ type: 'EARN', amount: 2, milestone: 2 }] });
  const { rows } = (await stage.rest('GET', '/admin/journal')).body;
  const reversed = await stage.rest('POST', '/gamification/triggers/reversals', { journalEntryId: rows[0].id });
  expect(reversed).toMatchObject({ status: 200 });
  expect(await freezes(ada)).toMatchObject({ owned: 0, rows: [{ type: 'REVERSE', amount: -2 }, { type: 'EARN' }] });
  at(2, '13:00');
  await ada.emit('LOGIN');
  expect(await freezes(ada)).toMatchObject({ owned: 2 });
});

test('merged accounts have the freezes of both', async () => {
  const stage = await newGame();
  const [ada, bob] = [stage.player('ada'), stage.player('bob')];
  await grant(stage, ada);
  await grant(stage, bob, 2);
  const merge = { intoAccountId: await ada.id(), progress: 'MAX' };
  expect((await stage.rest('POST', `/accounts/${await bob.id()}/merge`, merge)).status).toBeLessThan(300);
  expect(await freezes(ada)).toMatchObject({ owned: 3 });
});

test('the ledger is read page by page, and an unknown account has an empty one', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  for (let given = 0; given < 3; given += 1) await grant(stage, ada);
  const id = await ada.id();
  const page = (query: string) => stage.rest('GET', `/v1/accounts/${id}/streak-freezes?limit=2${query}`);
  const first = (await page('')).body;
  expect(first.rows).toHaveLength(2);
  const second = (await page(`&cursor=${first.nextCursor}`)).body;
  expect(second.rows).toHaveLength(1);
  expect(second.nextCursor).toBeUndefined();
  expect(await page('&cursor=x')).toMatchObject({ status: 400 });
  expect(await freezes(stage.player('nobody'))).toMatchObject({ owned: 0, most: 3, rows: [] });
  expect(await stage.rest('POST', `/admin/accounts/${id}/streak-freezes`, { reason: 'x' })).toMatchObject({
    status: 409,
    body: { code: 'TOO_MANY_STREAK_FREEZES' },
  });
});

test('a simulation uses freezes as an event does, and stores nothing', async () => {
  const stage = await newGame();
  const ada = stage.player('ada');
  await keep(ada, 'LOGIN', 1);
  await grant(stage, ada);
  at(3);
  const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL' };
  expect((await stage.rest('POST', '/gamification/triggers/simulate', event)).body).toMatchObject([
    { progress: { previousProgress: 1, progress: 2 } },
  ]);
  expect(await ada.emit('LOGIN')).toMatchObject({ progressedMissions: [{ previousProgress: 1, progress: 2 }] });
});

/** Merges an account into another one. @returns the id of the merge */
async function merge(stage: Stage, from: string, into: string): Promise<string> {
  const call = { intoAccountId: into, idType: 'EXTERNAL', progress: 'SUM' };
  const { status, body } = await stage.rest('POST', `/accounts/${from}/merge`, call);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.mergeId;
}

test.each([
  { days: [1, 2], now: 4, name: 'yesterday' },
  { days: [1, 2], now: 6, name: 'days ago' },
])(
  'a merge keeps a run that a freeze bridged $name without anybody looking, and the undo is exact',
  async ({ days, now }) => {
    const stage = await newGame();
    const [ada, bob] = [stage.player('ada'), stage.player('bob')];
    await keep(ada, 'LOGIN', ...days);
    await grant(stage, ada, now - 3);
    await keep(bob, 'LOGIN', now);
    const before = await bob.get('/v1/accounts/{id}/streak-freezes');
    expect(await runs(ada)).toEqual([2]);
    const mergeId = await merge(stage, 'ada', 'bob');
    expect(await runs(bob)).toEqual([3]);
    expect(await freezes(bob)).toMatchObject({ owned: 0 });
    // A read of the ledger is no reason against an undo, even if it stores a use.
    at(now + 2);
    expect(await freezes(bob)).toMatchObject({ owned: 0 });
    at(now, '13:00');
    const undone = await stage.rest('POST', `/accounts/bob/merges/${mergeId}/undo`, { idType: 'EXTERNAL' });
    expect(undone, JSON.stringify(undone.body)).toMatchObject({ status: 200 });
    expect([await runs(ada), await runs(bob)]).toEqual([[2], [1]]);
    expect(await freezes(bob)).toEqual(before);
    expect(await freezes(ada)).toMatchObject({ owned: 0 });
    expect((await freezes(ada)).rows).toHaveLength(now - 2);
    expect(await differences(journey.service.db, stage.clientId)).toEqual([]);
  },
);

test('a period that a freeze of the merged account bridged stays bridged, also if late events still reach it', async () => {
  const stage = await newGame();
  const [ada, bob] = [stage.player('ada'), stage.player('bob')];
  await keep(ada, 'LOGIN', 1, 2);
  await grant(stage, ada, 2);
  await keep(ada, 'LOGIN', 4);
  expect(await freezes(ada)).toMatchObject({ owned: 1 });
  // Bob kept the day: the freeze comes back.
  await keep(bob, 'LOGIN', 4);
  await bob.emit('LOGIN', { occurredAt: '2026-06-03T20:00Z' });
  const mergeId = await merge(stage, 'ada', 'bob');
  expect(await runs(bob)).toEqual([4]);
  expect(await freezes(bob)).toMatchObject({
    owned: 2,
    rows: [{ type: 'RETURN' }, { type: 'USE' }, { type: 'GRANT' }],
  });
  await stage.rest('POST', `/accounts/bob/merges/${mergeId}/undo`, { idType: 'EXTERNAL' });
  expect(await freezes(ada)).toMatchObject({ owned: 1, rows: [{ type: 'USE' }, { type: 'GRANT' }] });
  expect(await freezes(bob)).toMatchObject({ owned: 0, rows: [] });
  expect([await runs(ada), await runs(bob)]).toEqual([[3], [2]]);
});

test('a milestone that two accounts reach together gives its freezes', async () => {
  const stage = await newGame(['LOGIN'], { milestones: [{ length: 4, freezes: 2 }] });
  const [ada, bob] = [stage.player('ada'), stage.player('bob')];
  await keep(ada, 'LOGIN', 1, 2);
  await keep(bob, 'LOGIN', 3, 4);
  await merge(stage, 'ada', 'bob');
  expect(await runs(bob)).toEqual([4]);
  expect(await freezes(bob)).toMatchObject({ owned: 2, rows: [{ type: 'EARN', amount: 2, milestone: 4 }] });
});

test('a run that was lost long before a merge is not revived by the freezes of the other account', async () => {
  const stage = await newGame(['A', 'B']);
  const [ada, bob] = [stage.player('ada'), stage.player('bob')];
  await keep(ada, 'A', 1, 2);
  await keep(ada, 'B', 2);
  await keep(bob, 'A', 1);
  await grant(stage, bob, 3);
  await bob.send('A', { occurredAt: '2026-06-01T11:00Z' });
  at(3);
  await keep(bob, 'A', 2, 3, 4, 5, 6);
  expect([await runs(ada), await runs(bob)]).toEqual([
    [0, 0],
    [6, 0],
  ]);
  await merge(stage, 'bob', 'ada');
  expect(await runs(ada)).toEqual([6, 0]);
  expect(await freezes(ada)).toMatchObject({ owned: 3 });
});

test('a completed streak has used the freezes that its run needed', async () => {
  const stage = await newGame(['LOGIN'], { endless: undefined, target: 3 });
  const ada = stage.player('ada');
  await keep(ada, 'LOGIN', 1, 2);
  await grant(stage, ada, 2);
  at(4);
  const [completed] = (await ada.emit('LOGIN')).progressedMissions;
  expect(completed).toMatchObject({ status: 'COMPLETED', progress: 3 });
  expect(await freezes(ada)).toMatchObject({ owned: 1, rows: [{ type: 'USE', periodKey: '2026-06-03' }, {}] });
  at(9);
  expect(await freezes(ada)).toMatchObject({ owned: 1 });
  expect(await ada.feed('COMPLETED')).toMatchObject([{ streak: { current: 3 } }]);
});

test('a reversal of a kept day takes a freeze, and no milestone that the bridged run still reaches', async () => {
  const stage = await newGame(['LOGIN'], { milestones: [{ length: 2, freezes: 2 }] });
  const ada = stage.player('ada');
  await grant(stage, ada);
  await keep(ada, 'LOGIN', 1, 2, 3);
  const { rows } = (await stage.rest('GET', '/admin/journal')).body;
  const reversed = await stage.rest('POST', '/gamification/triggers/reversals', { journalEntryId: rows[1].id });
  expect(reversed).toMatchObject({ status: 200 });
  expect(await runs(ada)).toEqual([2]);
  expect(await freezes(ada)).toMatchObject({ owned: 2, rows: [{ type: 'USE', periodKey: '2026-06-02' }, {}, {}] });
});

test('a day that two accounts bridged before their merge has cost both a freeze once it is over', async () => {
  const stage = await newGame();
  const [ada, bob] = [stage.player('ada'), stage.player('bob')];
  for (const player of [ada, bob]) await grant(stage, player, 2);
  await keep(ada, 'LOGIN', 1);
  await bob.emit('LOGIN');
  await keep(ada, 'LOGIN', 3);
  await bob.emit('LOGIN');
  at(5);
  await ada.emit('LOGIN');
  await merge(stage, 'ada', 'bob');
  // The 2nd is over; the 4th is still open, and needs one freeze only.
  expect(await freezes(bob)).toMatchObject({ owned: 1 });
  expect(await runs(bob)).toEqual([3]);
  expect(await differences(journey.service.db, stage.clientId)).toEqual([]);
});

test('what one account bridged long ago is no help for the run of the other', async () => {
  const stage = await newGame(['LOGIN'], { gracePeriods: 1 });
  const [ada, bob] = [stage.player('ada'), stage.player('bob')];
  await keep(ada, 'LOGIN', 1);
  await grant(stage, ada);
  // Ada's grace period goes for the 2nd, her freeze for the 3rd; then her run is lost. Bob's grace period goes for the 3rd.
  await keep(bob, 'LOGIN', 2, 4, 5);
  at(6);
  await merge(stage, 'ada', 'bob');
  expect(await runs(bob)).toEqual([3]);
  at(7);
  expect(await runs(bob)).toEqual([0]);
});

test('a reversal after a merge by MAX takes at most what is there', async () => {
  const stage = await newGame(['LOGIN'], { perPeriodTarget: 2 });
  const [ada, bob] = [stage.player('ada'), stage.player('bob')];
  at(1);
  for (const player of [ada, bob]) await player.emit('LOGIN');
  const call = { intoAccountId: 'bob', idType: 'EXTERNAL', progress: 'MAX' };
  expect(await stage.rest('POST', '/accounts/ada/merge', call)).toMatchObject({ status: 200 });
  const { rows } = (await stage.rest('GET', '/admin/journal?programmaticCode=LOGIN')).body;
  for (const { id } of rows)
    expect((await stage.rest('POST', '/gamification/triggers/reversals', { journalEntryId: id })).status).toBe(200);
  for (let sent = 0; sent < 2; sent += 1) await bob.emit('LOGIN');
  expect(await runs(bob)).toEqual([1]);
});

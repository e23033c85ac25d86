// `laurel verify` names each line of a ledger of streak freezes that somebody changed behind the service's back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Journey, startJourney, type Stage } from '../../journeys/stage.ts';
import { differences } from '../rewards/provision.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney('2026-06-01T12:00Z');
});
afterAll(() => journey.service.close());

/** An account that bought two freezes for twenty points, and has used both for the days 2 and 3 of June. */
async function newGame(): Promise<Stage> {
  journey.clock.set('2026-06-01T12:00Z');
  const stage = await journey.stage('UTC');
  const { version, name, timeZone } = (await stage.rest('GET', `/admin/clients/${stage.clientId}`)).body;
  const settings = { version, name, timeZone, streaks: { freezesMax: 3, freezePrice: 10 } };
  expect(await stage.rest('PUT', `/admin/clients/${stage.clientId}`, settings)).toMatchObject({ status: 200 });
  const { id: audienceId } = await stage.admin('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  await stage.admin('/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
  const mission = { type: 'STREAK', name: 'Every day', programmaticCode: 'LOGIN', endless: true };
  await stage.admin('/admin/missions', { audienceId, mission });
  const ada = stage.player('ada');
  await ada.emit('LOGIN');
  const id = await ada.id();
  await stage.admin(`/admin/accounts/${id}/points/adjust`, { amount: 20, reason: 'A gift.' });
  const bought = await stage.rest('POST', `/v1/accounts/${id}/streak-freezes`, { count: 2, operationId: 'two' });
  expect(bought).toMatchObject({ status: 200, body: { owned: 2 } });
  journey.clock.set('2026-06-04T12:00Z');
  await ada.emit('LOGIN');
  return stage;
}

const FIRST = 'period = (select min(period) from streak_freeze where client_id = $1)';

test.each([
  ['a use that takes two', `amount = -2 where client_id = $1 and ${FIRST}`, ['amount -2 -1', 'owned -1 0', 'uses 2 1']],
  ['more uses than freezes', `amount = 1 where client_id = $1 and type = 'BUY'`, ['owned -1 0']],
  ['uses of no streak', `mission_id = account_id where client_id = $1 and type = 'USE'`, ['mission_id', 'mission_id']],
  [
    'a period that is bridged twice',
    `period = (select min(period) from streak_freeze where client_id = $1) where client_id = $1 and type = 'USE'`,
    ['uses 2 1'],
  ],
  [
    'a return of a freeze that was not used',
    `type = 'RETURN', amount = 1 where client_id = $1 and ${FIRST}`,
    ['uses -1 0'],
  ],
  [
    'more taken from a milestone than it gave',
    `type = 'REVERSE', milestone = 7 where client_id = $1 and ${FIRST}`,
    ['milestone -1 0'],
  ],
  ['a price that nobody paid', `points = 30 where client_id = $1 and type = 'BUY'`, ['points 30.0000 20.0000']],
])('verify names %s', async (_title, change, expected) => {
  const stage = await newGame();
  const found = () => differences(journey.service.db, stage.clientId);
  expect(await found()).toEqual([]);
  await journey.service.db.unitOfWork(stage.clientId, (uow) =>
    uow.query(`update streak_freeze set ${change}`, [stage.clientId]),
  );
  const shown = (await found()).map(({ subject, stored, recomputed }) => {
    const name = subject.replace('streak_freeze.', '');
    return name === 'mission_id' ? name : [name, stored, recomputed].join(' ');
  });
  expect(shown).toEqual(expected);
});

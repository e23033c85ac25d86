import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Journey, type Player, startJourney, type Stage } from '../../journeys/stage.ts';
import { pageTables } from '../../support/page-tables.ts';
import { differences } from '../rewards/provision.ts';

const page = readFileSync(new URL('../../../docs/merging.md', import.meta.url), 'utf8');

/** The day of the merge, and of the look at the run afterwards. */
const TODAY = 6;

/** The table of runs, freezes and vacations: the days are those of June. */
const [, , ...rows] = pageTables(page).find(([columns]) => columns!.includes('Its freezes'))!;

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney('2026-06-01T12:00Z');
});
afterAll(() => journey.service.close());

const date = (day: number) => `2026-06-${String(day).padStart(2, '0')}`;
const at = (day: number, time = '12:00') => journey.clock.set(`${date(day)}T${time}Z`);

async function newGame(): Promise<Stage> {
  at(1);
  const stage = await journey.stage('UTC');
  const { version, name, timeZone } = (await stage.rest('GET', `/admin/clients/${stage.clientId}`)).body;
  const streaks = { freezesMax: 3, vacationDaysMax: 10 };
  const changed = await stage.rest('PUT', `/admin/clients/${stage.clientId}`, { version, name, timeZone, streaks });
  expect(changed).toMatchObject({ status: 200 });
  const { id: audienceId } = await stage.admin('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  await stage.admin('/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
  const mission = { type: 'STREAK', name: 'Every day', programmaticCode: 'LOGIN', endless: true };
  await stage.admin('/admin/missions', { audienceId, mission });
  return stage;
}

/** Plays the life of an account before the merge: `keeps 1 2`, `has 2 freezes`, `is away 3 to 5`, separated by commas. */
async function live(stage: Stage, player: Player, text: string): Promise<void> {
  const id = await player.id();
  for (const part of text.split(', ')) {
    const [verb, ...words] = part.split(' ');
    const numbers = words.filter((word) => /^\d+$/.test(word)).map(Number);
    at(1, '11:00');
    if (verb === 'has')
      await stage.admin(`/admin/accounts/${id}/streak-freezes`, { count: numbers[0], reason: 'An apology.' });
    else if (verb === 'is') {
      const vacations = [{ since: date(numbers[0]!), until: date(numbers[1]! + 1) }];
      expect(await stage.rest('PUT', `/v1/accounts/${id}/vacations`, { vacations })).toMatchObject({ status: 200 });
    } else if (verb === 'keeps')
      for (const day of numbers) {
        at(day);
        await player.emit('LOGIN');
      }
    else expect(part).toBe('nothing');
  }
}

test.each(rows)('A %s; B %s: a run of %s, %s freezes', async (a, b, run, owned) => {
  const stage = await newGame();
  const [ada, bob] = [stage.player('a'), stage.player('b')];
  await live(stage, ada, a);
  await live(stage, bob, b);
  at(TODAY);
  const call = { intoAccountId: 'b', idType: 'EXTERNAL', progress: 'SUM' };
  expect(await stage.rest('POST', '/accounts/a/merge', call)).toMatchObject({ status: 200 });
  const [{ streak }] = await bob.feed();
  const freezes = await bob.get('/v1/accounts/{id}/streak-freezes');
  expect([`${streak.current}`, `${freezes.owned}`]).toEqual([run, owned]);
  expect(await differences(journey.service.db, stage.clientId)).toEqual([]);
});

test('the table has a row for freezes and for vacations of each account', () => {
  for (const pattern of [/^has/, /^is away/])
    for (const column of [0, 1])
      expect(rows.some((row) => row[column]!.split(', ').some((part) => pattern.test(part)))).toBe(true);
});

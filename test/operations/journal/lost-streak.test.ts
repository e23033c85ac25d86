import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { codedGame, journalOf } from './fixture.ts';

let service: TestService;
let now = new Date();
beforeAll(async () => {
  // The database's clock is not changed, so entries and operations have different times.
  service = await startService({ clock: () => now, journal: 'byHash' });
});
afterAll(() => service.close());

const runOf = async (code: string, at: string, account: string) => {
  now = new Date(at);
  const entry = await journalOf(service).emitAndReadEntry(code, account);
  return entry.missions[0];
};

test('an event after a lost streak tells how long it was, when it was last kept and by whose clocks', async () => {
  now = new Date('2026-11-01T00:00:00Z');
  const { code } = await codedGame(service, { type: 'STREAK', target: 5 });
  await service.rest('POST', '/accounts', { externalId: 'ada', timeZone: 'Europe/Madrid' });
  expect(await runOf(code, '2026-11-02T12:00:00Z', 'ada')).not.toHaveProperty('lostRun');
  expect(await runOf(code, '2026-11-03T12:00:00Z', 'ada')).not.toHaveProperty('lostRun');
  // In Madrid it is the 5th already, and the 4th was missed.
  expect(await runOf(code, '2026-11-04T23:30:00Z', 'ada')).toMatchObject({
    previousProgress: 0,
    progress: 1,
    completed: false,
    lostRun: { periods: 2, lastKept: '2026-11-03', period: '2026-11-05', timeZone: 'Europe/Madrid' },
  });
  expect(await runOf(code, '2026-11-06T12:00:00Z', 'ada')).not.toHaveProperty('lostRun');
});

test('a freeze that bridges the gap loses nothing', async () => {
  now = new Date('2026-11-01T00:00:00Z');
  const { code } = await codedGame(service, { type: 'STREAK', target: 5, gracePeriods: 1 });
  await runOf(code, '2026-11-02T12:00:00Z', 'bo');
  expect(await runOf(code, '2026-11-04T12:00:00Z', 'bo')).not.toHaveProperty('lostRun');
  expect(await runOf(code, '2026-11-07T12:00:00Z', 'bo')).toMatchObject({
    lostRun: { periods: 2, lastKept: '2026-11-04', period: '2026-11-07', timeZone: 'UTC' },
  });
});

// Streaks with freezes, vacations, grace periods and milestones against a naive model that adds everything up from scratch, on two hosts.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shortOrLong } from '../../faults/bounds.ts';
import { differences } from '../../operations/rewards/provision.ts';
import { testDatabase } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { runsOf } from '../runs.ts';
import { StreakBook } from './streak-book.ts';
import { change, feed, nameOf, newGame, ok, path, PRICE, shown, type World, world, zones } from './streak-game.ts';
import { type Deed, MOST } from './streak-parts.ts';

const HOUR = 3_600_000;
const PEOPLE = 2;

let service: TestService;
let other: TestService;
/** The clock of both hosts: before that of the machine, because the ids of rewards have its time. */
const FIRST = Date.parse('2025-03-27T09:00:00Z');
let now = FIRST;

beforeAll(async () => {
  const database = await testDatabase();
  const options = { clock: () => new Date(now), journal: 'byHash' } as const;
  service = await startService({ ...options, database });
  // The first one drops the database.
  other = await startService({ ...options, database: { ...database, drop: async () => {} } });
});
afterAll(async () => {
  await other.close();
  await service.close();
});

const KINDS = {
  ...{ send: 14, late: 4, reverse: 4, grant: 3, buy: 1, look: 3, wait: 4 },
  ...{ announce: 2, move: 2, restore: 2, merge: 4 },
} as const;
type Kind = keyof typeof KINDS;

const step = fc.record({
  kind: fc.constantFrom(...Object.entries(KINDS).flatMap(([kind, weight]) => Array<Kind>(weight).fill(kind as Kind))),
  who: fc.nat(PEOPLE - 1),
  which: fc.nat({ max: 2 }),
  host: fc.boolean(),
  hours: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 12, max: 50 })),
  amount: fc.integer({ min: 1, max: 4 }),
  part: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
  back: fc.nat({ max: 6 }),
  zone: zones,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play(setting: World, steps: readonly Step[], seen: Record<string, number>): Promise<void> {
  now = FIRST;
  const { tenant, rules, call } = await newGame([service, other], setting);
  const books = Array.from({ length: PEOPLE }, () => new StreakBook(rules, setting.zone));
  const ids: string[] = [];
  for (let who = 0; who < PEOPLE; who += 1)
    ids.push((await ok(call(true), 'POST', '/accounts/resolve', { externalId: nameOf(who) })).id);
  const sent: { readonly entry: string; readonly deed: Deed; readonly who: number }[] = [];
  const count = (what: string) => (seen[what] = (seen[what] ?? 0) + 1);

  for (const { kind, who, which, host, hours, amount, part, back, zone } of steps) {
    now += hours * HOUR + 1_000;
    const rest = call(host);
    const [book, rule] = [books[who]!, rules[which % rules.length]!];
    const accountId = ids[who]!;
    if (kind === 'send' || kind === 'late') {
      const at = kind === 'send' ? now : now - (1 + ((back * 5 + amount) % 23)) * HOUR;
      const event = { programmaticCode: rule.code, accountId, metadata: { amount } };
      const { progressedMissions } = await ok(rest, 'POST', '/gamification/triggers', {
        ...event,
        occurredAt: new Date(at).toISOString(),
      });
      const deed = book.send(rule, at, amount, now);
      expect(progressedMissions.length > 0, `counted ${rule.code}`).toBe(deed.part !== undefined);
      const { rows } = await ok(rest, 'GET', '/admin/journal?limit=1');
      sent.push({ entry: rows[0].id, deed, who });
    } else if (kind === 'reverse') {
      const event = sent.at(-1 - back);
      const left = event?.deed.left ?? 0;
      const taken = part ?? left;
      if (left === 0 || taken > left) continue;
      await ok(rest, 'POST', '/gamification/triggers/reversals', { journalEntryId: event!.entry, amount: taken });
      books[event!.who]!.reverse(event!.deed, taken, now);
    } else if (kind === 'grant') {
      const body = { count: 1 + (back % 2), reason: 'An apology.' };
      const { status } = await rest('POST', `/admin/accounts/${accountId}/streak-freezes`, body);
      expect(status, 'grant').toBe(book.give(body.count, now, MOST) ? 200 : 409);
    } else if (kind === 'buy') {
      // A merge may bring more than a shop sells.
      if (book.owned(now) >= MOST) continue;
      await ok(rest, 'POST', `/admin/accounts/${accountId}/points/adjust`, { amount: PRICE, reason: 'A gift.' });
      await ok(rest, 'POST', `/v1/accounts/${accountId}/streak-freezes`, {});
      book.give(1, now, MOST);
    } else if (kind === 'look') {
      const { owned } = await ok(rest, 'GET', path(who, '/v1/accounts/{id}/streak-freezes?idType=EXTERNAL'));
      expect(owned, 'freezes').toBe(book.owned(now));
      const until = await Promise.all(rules.map(async ({ id }) => (await feed(rest, who))[id]?.streak?.keepUntil));
      expect(until, 'keepUntil').toEqual(rules.map((each) => book.keepUntil(each, now)));
    } else if (kind === 'announce') {
      const vacations = [book.announce(1 + (back % 4), amount, now)];
      await ok(rest, 'PUT', `/v1/accounts/${accountId}/vacations`, { vacations });
    } else if (kind === 'move') {
      if (setting.merges) {
        await change(rest, tenant, { timeZone: zone });
        for (const each of new Set(books)) each.move(zone, now);
      } else {
        await ok(rest, 'PATCH', `/accounts/${accountId}`, { timeZone: zone });
        book.move(zone, now);
      }
    } else if (kind === 'restore') {
      const body = { missionId: rule.id, length: amount + (back % 3), reason: 'The app was down.' };
      const { status } = await rest('POST', `/admin/accounts/${accountId}/streaks/restore`, body);
      expect(status, 'restore').toBe(book.restore(rule, body.length, now) ? 200 : 409);
    } else if (kind === 'merge') {
      const into = (who + 1) % PEOPLE;
      if (!setting.merges || books[into] === book || back > 3) continue;
      const progress = part === undefined ? 'SUM' : 'MAX';
      await ok(rest, 'POST', `/accounts/${accountId}/merge`, { intoAccountId: ids[into], progress });
      books[into]!.merge(book, progress, now);
      for (const [index, each] of books.entries()) if (each === book) books[index] = books[into]!;
    }
    count(kind);
    if (hours < 6 && kind === 'wait') continue;
    for (const each of kind === 'merge' || kind === 'reverse' ? books.keys() : [who])
      expect(await shown(call(!host), each), `${kind} ${each}`).toEqual(books[each]!.shown(now));
  }
  for (let who = 0; who < PEOPLE; who += 1) {
    const { owned } = await ok(call(true), 'GET', path(who, '/v1/accounts/{id}/streak-freezes?idType=EXTERNAL'));
    expect(owned, 'freezes').toBe(books[who]!.owned(now));
    seen['uses'] = (seen['uses'] ?? 0) + books[who]!.uses(now).length;
  }
  expect(await differences(service.db, tenant.clientId)).toEqual([]);
}

const runs = runsOf({ numRuns: shortOrLong(9, 400), seed: 342 });

test(
  'whatever is sent, taken back, given, announced, moved, restored and merged, runs, freezes and payments are the naive ones',
  { timeout: 60_000 + 8_000 * runs.numRuns },
  async () => {
    const seen: Record<string, number> = {};
    const steps = fc.array(step, { minLength: 25, maxLength: 45, size: 'max' });
    await fc.assert(
      fc.asyncProperty(world, steps, (setting, ofWorld) => play(setting, ofWorld, seen)),
      { ...runs, endOnFailure: true },
    );
    for (const what of [...Object.keys(KINDS), 'uses']) expect(seen[what] ?? 0, what).toBeGreaterThan(runs.numRuns / 5);
  },
);

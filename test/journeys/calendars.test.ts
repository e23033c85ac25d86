import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteFormerMemberships } from '../../src/audiences/members/delete-former-memberships.ts';
import { oldestAcceptance } from '../../src/triggers/inbox/inbox.queries.ts';
import { holdAccount, untilApplied } from '../operations/triggers/inbox-fixture.ts';
import { instantOf, type Journey, type Player, startJourney, type Stage } from './stage.ts';

const PROGRESS = '/v1/gamification/missions/progress/{id}';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney('2027-06-01T12:00Z');
});
afterAll(() => journey.service.close());

/** A client at a moment, with the account `ada` in a zone. */
async function at(
  moment: string,
  timeZone?: string,
): Promise<{ stage: Stage; ada: Player; move: (zone: string | null) => Promise<void> }> {
  journey.clock.set(moment);
  const stage = await journey.stage();
  const ada = stage.player('ada');
  const id = await ada.id();
  const move = async (zone: string | null) => {
    expect(await stage.rest('PATCH', `/accounts/${id}`, { timeZone: zone })).toMatchObject({ status: 200 });
  };
  if (timeZone !== undefined) {
    // The account exists two days earlier, so that its zone is settled.
    journey.clock.set(Date.parse(moment.replace('Z', ':00Z')) - 2 * 86_400_000);
    await move(timeZone);
    journey.clock.set(moment);
  }
  return { stage, ada, move };
}

const routine = { missions: [{ type: 'ROUTINE', period: 'DAY', target: 1, occurrences: 30 }] } as const;
const streak = { missions: [{ type: 'STREAK', period: 'DAY', target: 30 }] } as const;

describe('a change of the zone', () => {
  test('westwards pays the day in progress once, and shows it until the new zone has passed it', async () => {
    const { stage, ada, move } = await at('2027-06-01T11:00Z', 'Pacific/Kiritimati');
    await stage.game(routine);
    expect(await ada.emit('LOGIN')).toMatchObject({ progressedMissions: [{ periodKey: '2027-06-02' }] });
    await move('UTC');
    expect(await ada.emit('LOGIN')).toEqual({ progressedMissions: [], rewards: [] });
    expect(await ada.feed('COMPLETED')).toMatchObject([
      { periodKey: '2027-06-02', expiresAt: '2027-06-03T00:00:00Z', occurrences: { completed: 1, target: 30 } },
    ]);
    journey.clock.set('2027-06-02T23:59:59Z');
    expect((await ada.emit('LOGIN')).progressedMissions).toEqual([]);
    journey.clock.set('2027-06-03T00:00Z');
    expect(await ada.emit('LOGIN')).toMatchObject({ progressedMissions: [{ periodKey: '2027-06-03' }] });
  });

  test('eastwards over two midnights ends no streak, and gives its owner until the end of the day of arrival', async () => {
    const { stage, ada, move } = await at('2027-06-02T08:00Z', 'Pacific/Niue');
    await stage.game(streak);
    await ada.emit('LOGIN');
    journey.clock.set('2027-06-02T09:30Z');
    await move('Pacific/Kiritimati');
    // In the new zone it is the evening of 2 June; in Niue it was the evening of 1 June.
    journey.clock.set('2027-06-03T09:59:59Z');
    expect(await ada.feed()).toMatchObject([{ streak: { current: 1 } }]);
    expect(await ada.emit('LOGIN')).toMatchObject({ progressedMissions: [{ previousProgress: 1, progress: 2 }] });
    journey.clock.set('2027-06-04T10:00Z');
    expect(await ada.feed()).toMatchObject([{ streak: { current: 0, longest: 2 } }]);
  });

  test("of the client's default is one of every account without a zone of its own", async () => {
    const { stage, ada } = await at('2027-06-01T11:00Z');
    const bob = stage.player('bob');
    await stage.rest('PATCH', `/accounts/${await bob.id()}`, { timeZone: 'UTC' });
    const client = (await stage.rest('GET', `/admin/clients/${stage.clientId}`)).body;
    const inZone = async (timeZone: string, version: number) =>
      expect(
        await stage.rest('PUT', `/admin/clients/${stage.clientId}`, { name: client.name, timeZone, version }),
      ).toMatchObject({ status: 200 });
    await inZone('Pacific/Kiritimati', client.version);
    await stage.game(routine);
    expect(await ada.emit('LOGIN')).toMatchObject({ progressedMissions: [{ periodKey: '2027-06-02' }] });
    expect(await bob.emit('LOGIN')).toMatchObject({ progressedMissions: [{ periodKey: '2027-06-01' }] });
    await inZone('UTC', client.version + 1);
    expect((await ada.emit('LOGIN')).progressedMissions).toEqual([]);
    // A new account lives in the same zone, from its beginning.
    expect(await stage.player('eve').emit('LOGIN')).toMatchObject({
      progressedMissions: [{ periodKey: '2027-06-02' }],
    });
  });

  test('is remembered, the last 32 of them', async () => {
    const { stage, ada, move } = await at('2027-06-01T12:00Z');
    await stage.game(streak);
    for (let index = 0; index < 40; index += 1) {
      journey.clock.set(Date.parse('2027-06-01T12:00Z') + index * 60_000);
      await move(index % 2 === 0 ? 'Europe/Madrid' : 'UTC');
    }
    const [{ count }] = (await journey.service.db.unitOfWork(stage.clientId, (uow) =>
      uow.query<{ count: number }>(`select jsonb_array_length(past_zones) as count from account`),
    )) as [{ count: number }];
    expect(count).toBe(32);
    expect(await ada.emit('LOGIN')).toMatchObject({ progressedMissions: [{ progress: 1 }] });
  });
});

describe('a pause', () => {
  test('ends no streak, and what occurred in it counts neither then nor later', async () => {
    const { stage, ada } = await at('2027-06-01T12:00Z');
    const { campaignId } = await stage.game(streak);
    await ada.emit('LOGIN');
    journey.clock.set('2027-06-02T12:00Z');
    await stage.admin(`/admin/campaigns/${campaignId}/pause`);
    expect((await ada.emit('LOGIN')).progressedMissions).toEqual([]);
    expect((await ada.emit('LOGIN', { occurredAt: '2027-06-02T11:00Z' })).progressedMissions).toEqual([]);
    expect([await ada.feed(), await ada.get(PROGRESS)]).toEqual([[], []]);
    journey.clock.set('2027-06-05T12:00Z');
    expect(await stage.admin(`/admin/campaigns/${campaignId}/activate`)).toMatchObject({
      pauses: [{ since: '2027-06-02T12:00:00Z', until: '2027-06-05T12:00:00Z' }],
    });
    expect(await ada.feed()).toMatchObject([{ streak: { current: 1 } }]);
    expect((await ada.emit('LOGIN', { occurredAt: '2027-06-05T11:00Z' })).progressedMissions).toEqual([]);
    expect(
      (await stage.player('bob').emit('LOGIN', { occurredAt: '2027-06-05T12:00Z' })).progressedMissions,
    ).toHaveLength(1);
    journey.clock.set('2027-06-06T23:00Z');
    expect(await ada.emit('LOGIN')).toMatchObject({ progressedMissions: [{ previousProgress: 1, progress: 2 }] });
    journey.clock.set('2027-06-08T00:00Z');
    expect(await ada.feed()).toMatchObject([{ streak: { current: 0 } }]);
  });

  test('makes the days of a challenge longer, and moves no announced end', async () => {
    const { stage, ada } = await at('2027-06-01T12:00Z');
    const { campaignId } = await stage.game({
      missions: [
        { type: 'CHALLENGE', target: 9, durationDays: 3 },
        { type: 'CHALLENGE', target: 9, endsAt: '2027-06-04T12:00:00Z' },
      ],
    });
    await ada.emit('LOGIN');
    journey.clock.set('2027-06-02T12:00Z');
    await stage.admin(`/admin/campaigns/${campaignId}/pause`);
    journey.clock.set('2027-06-03T12:00Z');
    await stage.admin(`/admin/campaigns/${campaignId}/activate`);
    const ends = (await ada.feed()).map(({ expiresAt }: { expiresAt: string }) => expiresAt);
    expect(ends).toEqual(['2027-06-05T12:00:00Z', '2027-06-04T12:00:00Z']);
  });
});

describe('an event that comes late', () => {
  test('counts for a challenge that another has begun, and does not move its end', async () => {
    const { stage, ada } = await at('2027-06-02T12:00Z');
    await stage.game({ missions: [{ type: 'CHALLENGE', target: 9, durationDays: 3 }] });
    await ada.emit('LOGIN');
    const late = await ada.emit('LOGIN', { occurredAt: '2027-06-01T14:30Z' });
    expect(late).toMatchObject({ progressedMissions: [{ progress: 2 }] });
    expect(await ada.feed()).toMatchObject([{ expiresAt: '2027-06-05T12:00:00Z' }]);
    expect(await ada.get(PROGRESS)).toMatchObject([{ startedAt: '2027-06-02T12:00:00Z' }]);
  });

  test('counts for a campaign that somebody has ended since, closes it and pays', async () => {
    const { stage, ada } = await at('2027-06-02T12:00Z');
    const { campaignId } = await stage.game({ missions: [{ type: 'MISSION', target: 2 }] });
    await ada.emit('LOGIN');
    journey.clock.set('2027-06-02T18:00Z');
    await stage.admin(`/admin/campaigns/${campaignId}/end`);
    expect((await ada.emit('LOGIN')).progressedMissions).toEqual([]);
    expect(await ada.feed('EXPIRED')).toMatchObject([{ progress: 1 }]);
    expect(await ada.emit('LOGIN', { occurredAt: '2027-06-02T17:59:59Z' })).toMatchObject({
      progressedMissions: [{ progress: 2, status: 'COMPLETED' }],
      rewards: [{ rewardType: 'POINTS', amount: 10 }],
    });
    expect(await ada.feed('COMPLETED')).toMatchObject([{ progress: 2 }]);
    expect(await ada.points()).toMatchObject({ available: 10 });
  });

  test('counts if the account was in the audience when it occurred, give or take a minute before it joined', async () => {
    const { stage, ada } = await at('2027-06-02T12:00Z');
    const { audienceId } = await stage.game({ audienceKind: 'MANUAL', missions: [{ type: 'MISSION', target: 9 }] });
    const accountIds = [await ada.id()];
    const members = (verb: string, method: string) =>
      stage.rest(method, `/gamification/audiences/${audienceId}/accounts/${verb}`, { accountIds });
    const counts = async (occurredAt: string) =>
      (await ada.emit('LOGIN', { occurredAt })).progressedMissions.length === 1;
    const simulatedAt = async (occurredAt: string) => {
      const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL', metadata: {} };
      const simulated = await stage.rest('POST', '/gamification/triggers/simulate', {
        ...event,
        occurredAt: new Date(instantOf(occurredAt)).toISOString(),
      });
      expect(simulated).toMatchObject({ status: 200, body: [{}] });
      return simulated.body[0].uncountedReason ?? 'counts';
    };
    await members('assign', 'POST');
    expect([await counts('2027-06-02T11:58:59Z'), await counts('2027-06-02T11:59:00Z')]).toEqual([false, true]);
    journey.clock.set('2027-06-02T18:00Z');
    await members('assign', 'POST');
    expect(await counts('2027-06-02T13:00Z')).toBe(true);
    await members('remove', 'DELETE');
    expect([await ada.feed(), await ada.get(PROGRESS)]).toEqual([[], []]);
    expect([await simulatedAt('2027-06-02T17:59:59Z'), await simulatedAt('2027-06-02T18:00Z')]).toEqual([
      'counts',
      'NOT_IN_AUDIENCE',
    ]);
    expect([await counts('2027-06-02T17:59:59Z'), await counts('2027-06-02T18:00Z')]).toEqual([true, false]);
    expect([await ada.feed(), await ada.get(PROGRESS)]).toEqual([[], []]);
    journey.clock.set('2027-06-02T19:00Z');
    await members('assign', 'POST');
    expect([await simulatedAt('2027-06-02T13:00Z'), await simulatedAt('2027-06-02T18:30Z')]).toEqual([
      'counts',
      'BEFORE_JOINING',
    ]);
    expect([await counts('2027-06-02T13:00Z'), await counts('2027-06-02T18:30Z')]).toEqual([true, false]);
    expect([await counts('2027-06-02T18:59Z'), await counts('2027-06-02T19:00Z')]).toEqual([true, true]);
    expect(await ada.feed()).toMatchObject([{ progress: 6 }]);
  });
});

describe('an event of a member that left the audience', () => {
  /** Ada was in the audience from 12:00 to 14:00; her event of 13:00 is accepted but not applied yet. */
  async function leftBehind() {
    const { stage, ada } = await at('2027-06-02T12:00Z');
    const { audienceId } = await stage.game({ audienceKind: 'MANUAL', missions: [{ type: 'MISSION', target: 2 }] });
    const accountIds = [await ada.id()];
    const path = `/gamification/audiences/${audienceId}/accounts`;
    const change = async (method: string, verb: string) =>
      expect(await stage.rest(method, `${path}/${verb}`, { accountIds })).toMatchObject({ status: 200 });
    const own = { db: journey.service.db, clientId: stage.clientId };
    await change('POST', 'assign');
    const release = await holdAccount(own, 'ada', { lock: 'for no key update' });
    journey.clock.set('2027-06-02T13:00Z');
    const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL' };
    expect(await stage.rest('POST', '/gamification/triggers/async', event)).toMatchObject({ status: 200 });
    journey.clock.set('2027-06-02T14:00Z');
    await change('DELETE', 'remove');
    expect(await stage.rest('POST', '/gamification/triggers/async', event)).toMatchObject({ status: 200 });
    const progressOnceBack = async () => {
      await change('POST', 'assign');
      return (await ada.feed())[0].progress;
    };
    const kept = () => own.db.unitOfWork(own.clientId, (uow) => uow.query('select from former_membership'));
    const forget = (now: Date) =>
      deleteFormerMemberships(own.db, own.clientId, { now, oldestAcceptance, batch: 1 }).then(kept);
    return { stage, ada, own, release, change, progressOnceBack, kept, forget };
  }

  test('that was accepted asynchronously counts as of its moment, though the account left before it was applied', async () => {
    const { ada, release, progressOnceBack } = await leftBehind();
    await release();
    await untilApplied(journey.service);
    expect(await ada.feed()).toEqual([]);
    expect(await progressOnceBack()).toBe(1);
  });

  test('that became a dead trigger counts as of its moment when it is replayed, however late', async () => {
    const { stage, own, release, progressOnceBack, forget } = await leftBehind();
    await own.db.unitOfWork(own.clientId, (uow) => uow.query('update trigger_inbox set dead_at = now()'));
    await release();
    await untilApplied(journey.service);
    journey.clock.set('2027-09-01T12:00Z');
    expect(await forget(journey.clock.read())).toHaveLength(1);
    for (const { id } of (await stage.rest('GET', '/admin/dead-triggers/paginated?page=1&limit=10')).body.rows)
      await stage.admin(`/admin/dead-triggers/${id}/replay`);
    await untilApplied(journey.service);
    expect(await progressOnceBack()).toBe(1);
    expect(await forget(journey.clock.read())).toEqual([]);
  });

  test('can come for two days; then the membership is forgotten, in batches, and no other', async () => {
    const { release, change, kept, forget } = await leftBehind();
    await release();
    await untilApplied(journey.service);
    for (const hour of [15, 16]) {
      journey.clock.set(`2027-06-02T${hour}:00Z`);
      await change('POST', 'assign');
      journey.clock.set(`2027-06-02T${hour}:30Z`);
      await change('DELETE', 'remove');
    }
    expect(await kept()).toHaveLength(3);
    expect(await forget(new Date('2027-06-04T14:00Z'))).toHaveLength(3);
    expect(await forget(new Date('2027-06-04T15:30:01Z'))).toHaveLength(1);
    expect(await forget(new Date('2027-06-04T16:30:01Z'))).toEqual([]);
  });
});

test('a routine that is done as a whole is in progress in no read, though a period of it was begun', async () => {
  const { stage, ada } = await at('2027-06-02T12:00Z');
  await stage.game({ missions: [{ type: 'ROUTINE', period: 'DAY', target: 2, occurrences: 1 }] });
  await ada.emit('LOGIN', { occurredAt: '2027-06-01T20:00Z' });
  await ada.emit('LOGIN');
  expect(await ada.get(PROGRESS)).toMatchObject([
    { periodKey: '2027-06-02', occurrences: { completed: 0, target: 1 } },
  ]);
  await ada.emit('LOGIN', { occurredAt: '2027-06-01T21:00Z' });
  expect(await ada.feed('COMPLETED')).toMatchObject([{ occurrences: { completed: 1, target: 1 } }]);
  expect([await ada.feed(), await ada.get(PROGRESS)]).toEqual([[], []]);
});

import { describe, expect, test } from 'vitest';
import { candidatesAt, compileCatalog, periodKeysAt } from '../../src/engine/catalog.ts';
import { calendarOfZone } from '../../src/engine/time/calendar.ts';
import { campaign, mission, MONDAY } from './fixtures.ts';

function idsFor(code: string, catalog: ReturnType<typeof compileCatalog>): string[] | undefined {
  return catalog.byCode.get(code)?.plans.map(({ missionId }) => missionId);
}

describe('a catalog', () => {
  test('offers for a code the missions of active campaigns and the standalone ones', () => {
    const campaigns = [campaign(), campaign({ id: 'c2', status: 'DRAFT' }), campaign({ id: 'c3', status: 'ENDED' })];
    const missions = ['c1', 'c2', 'c3', undefined].map((campaignId) => mission({ id: `of ${campaignId}`, campaignId }));
    const catalog = compileCatalog(missions, campaigns);
    expect(idsFor('LOGIN', catalog)).toEqual(['of c1', 'of undefined']);
    expect(idsFor('PURCHASE', catalog)).toBeUndefined();
    expect([...catalog.missions.keys()]).toHaveLength(4);
  });

  test('adds the missions of a campaign that ended or is paused for what occurred before, in the same order', () => {
    const campaigns = [
      campaign({ id: 'c1', status: 'ENDED', endedAt: MONDAY }),
      campaign({ id: 'c2' }),
      campaign({ id: 'c3', status: 'PAUSED', pauses: [{ from: MONDAY + 9, until: Infinity }] }),
      campaign({ id: 'c4', status: 'ENDED', endedAt: MONDAY + 5, startsAt: MONDAY - 5 }),
      campaign({ id: 'c5', status: 'DRAFT' }),
    ];
    const missions = ['c1', 'c2', 'c3', 'c4', 'c5', undefined].map((campaignId) =>
      mission({ id: `of ${campaignId}`, campaignId, conditions: { prerequisiteMissionIds: [`before ${campaignId}`] } }),
    );
    const catalog = compileCatalog(missions, campaigns);
    const namedAt = (occurredAt: number) => {
      const { plans, missionIds } = candidatesAt(catalog, 'LOGIN', occurredAt);
      const names = plans.map(({ missionId }) => missionId.replace('of ', ''));
      expect(missionIds.toSorted()).toEqual(names.flatMap((name) => [`before ${name}`, `of ${name}`]).toSorted());
      return names.join(' ');
    };
    expect(namedAt(MONDAY - 6)).toBe('c1 c2 c3 undefined');
    expect(namedAt(MONDAY - 1)).toBe('c1 c2 c3 c4 undefined');
    expect(namedAt(MONDAY)).toBe('c2 c3 c4 undefined');
    expect(namedAt(MONDAY + 5)).toBe('c2 c3 undefined');
    expect(namedAt(MONDAY + 9)).toBe('c2 undefined');
    expect(candidatesAt(catalog, 'PURCHASE', MONDAY).plans).toEqual([]);
  });

  test('takes no more for an event of now with thousands of campaigns that ended than with none', () => {
    const ended = Array.from({ length: 5_000 }, (_, index) =>
      campaign({ id: `e${index}`, status: 'ENDED', endedAt: MONDAY - index }),
    );
    const missions = ['c1', ...ended.map(({ id }) => id)].map((id) => mission({ id: `of ${id}`, campaignId: id }));
    const catalog = compileCatalog(missions, [campaign(), ...ended]);
    const { plans, missionIds } = candidatesAt(catalog, 'LOGIN', MONDAY);
    expect([plans.length, missionIds]).toEqual([1, ['of c1']]);
    // The lists are the same objects for every event: the catalog neither searches nor builds them.
    expect(candidatesAt(catalog, 'LOGIN', MONDAY + 1).plans).toBe(plans);
    expect(candidatesAt(catalog, 'LOGIN', MONDAY - 3).plans).toHaveLength(4);
  });

  test('is ordered by campaign, then position, with what belongs to no campaign last', () => {
    const missions = [
      mission({ id: 'alone', position: 0 }),
      mission({ id: 'late', campaignId: 'c2', position: 1 }),
      mission({ id: 'second', campaignId: 'c1', position: 2 }),
      mission({ id: 'first', campaignId: 'c1', position: 1 }),
    ];
    const catalog = compileCatalog(missions, [campaign({ id: 'c2' }), campaign()]);
    expect([...catalog.missions.keys()]).toEqual(['first', 'second', 'late', 'alone']);
  });

  test('names every mission whose assignments a code can read', () => {
    const missions = [
      mission({ id: 'm1', campaignId: 'c1', conditions: { prerequisiteMissionIds: ['m7'] } }),
      mission({ id: 'm2', campaignId: 'c1', programmaticCode: 'PURCHASE' }),
      mission({ id: 'm7', programmaticCode: 'SIGN_UP' }),
      mission({ id: 'm8', programmaticCode: 'SIGN_UP' }),
    ];
    const catalog = compileCatalog(missions, [campaign()]);
    expect(catalog.byCode.get('LOGIN')?.missionIds.toSorted()).toEqual(['m1', 'm2', 'm7']);
  });

  test('names the keys under which those assignments may be stored', () => {
    const routine = (id: string, period: 'DAY' | 'WEEK') => mission({ id, type: 'ROUTINE', period });
    const catalog = compileCatalog([mission(), routine('d', 'DAY'), routine('e', 'DAY'), routine('w', 'WEEK')], []);
    expect(periodKeysAt(catalog.byCode.get('LOGIN')!, () => calendarOfZone('UTC'), MONDAY)).toEqual([
      '',
      '2026-06-01',
      '2026-W23',
    ]);
  });

  test('refuses a mission whose campaign it was not given', () => {
    expect(() => compileCatalog([mission({ campaignId: 'c9' })], [])).toThrow('c9');
  });
});

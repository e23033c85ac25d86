import { describe, expect, test } from 'vitest';
import { compileCatalog, periodKeysAt } from '../../src/engine/catalog.ts';
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
    expect(periodKeysAt(catalog.byCode.get('LOGIN')!, calendarOfZone('UTC'), MONDAY)).toEqual([
      '',
      '2026-06-01',
      '2026-W23',
    ]);
  });

  test('refuses a mission whose campaign it was not given', () => {
    expect(() => compileCatalog([mission({ campaignId: 'c9' })], [])).toThrow('c9');
  });
});

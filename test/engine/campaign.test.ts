import { describe, expect, test } from 'vitest';
import { isCampaignComplete } from '../../src/engine/campaign-plan.ts';
import { campaign, mission, MONDAY, player, units, type Player } from './fixtures.ts';

const login = mission({ id: 'm1', campaignId: 'c1', target: units(1) });
const purchase = mission({ id: 'm2', campaignId: 'c1', target: units(1), programmaticCode: 'PURCHASE' });

function kinds(account: Player, code: string): string[] {
  return account.send({ code, at: MONDAY }).flatMap((decision) => (decision.kind === 'uncounted' ? [] : decision.kind));
}

function isComplete(account: Player): boolean {
  return isCampaignComplete(account.catalog.campaigns.get('c1')!, account.assignments);
}

describe('a campaign', () => {
  test('closes with its last mission, once, and delivers its completion rewards', () => {
    const account = player([login, purchase], [campaign({ rewardIds: ['b1', 'b2'] })]);
    expect(kinds(account, 'LOGIN')).toEqual(['completed']);
    expect(isComplete(account)).toBe(false);
    const decisions = account.send({ code: 'PURCHASE' });
    expect(decisions.at(-1)).toEqual({ kind: 'campaignClosed', campaignId: 'c1', rewardIds: ['b1', 'b2'] });
    expect(isComplete(account)).toBe(true);
    expect(kinds(account, 'LOGIN')).toEqual([]);
  });

  test('closes once when one event completes several of its missions', () => {
    const account = player([login, { ...login, id: 'm2' }], [campaign()]);
    expect(kinds(account, 'LOGIN')).toEqual(['completed', 'completed', 'campaignClosed']);
  });

  test('that is to be claimed says so and delivers nothing', () => {
    const account = player([login], [campaign({ claimPolicy: 'EXPLICIT' })]);
    expect(account.send().at(-1)).toEqual({ kind: 'campaignClaimable', campaignId: 'c1' });
  });

  test('is not closed by missions of others', () => {
    const other = mission({ id: 'm9', campaignId: 'c2', target: units(1), programmaticCode: 'PURCHASE' });
    const alone = mission({ id: 'm8', target: units(1), programmaticCode: 'PURCHASE' });
    const account = player([login, other, alone], [campaign(), campaign({ id: 'c2' })]);
    const closings = account.send({ code: 'PURCHASE' }).filter(({ kind }) => kind === 'campaignClosed');
    expect(closings).toMatchObject([{ campaignId: 'c2' }]);
  });

  test('waits for all occurrences of a ROUTINE, not for one period', () => {
    const routine = mission({ id: 'm1', campaignId: 'c1', type: 'ROUTINE', target: units(1), occurrences: 2 });
    const account = player([routine], [campaign()]);
    const days = ['2026-06-01T12:00:00Z', '2026-06-02T12:00:00Z'];
    const ends = days.map((at) => account.send({ at }).at(-1)?.kind);
    expect(ends).toEqual(['occurrenceCounted', 'campaignClosed']);
  });

  test('stays open with a ROUTINE that never ends', () => {
    const routine = mission({ id: 'm1', campaignId: 'c1', type: 'ROUTINE', target: units(1) });
    expect(kinds(player([routine], [campaign()]), 'LOGIN')).toEqual(['completed']);
  });

  test('waits for its STREAK', () => {
    const streak = mission({ id: 'm1', campaignId: 'c1', type: 'STREAK', target: units(2) });
    const account = player([streak], [campaign()]);
    expect(account.send({ at: '2026-06-01T12:00:00Z' }).at(-1)?.kind).toBe('progressed');
    expect(account.send({ at: '2026-06-02T12:00:00Z' }).at(-1)?.kind).toBe('campaignClosed');
  });

  test('without missions is never complete', () => {
    expect(isComplete(player([], [campaign()]))).toBe(false);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { writeLargeCatalogue } from '../../support/large-catalogue.ts';
import { restAs, sharedService, type TestService } from '../../support/service.ts';

let service: TestService;
/** Calls as the tenant of the present test. */
let own: Pick<TestService, 'rest' | 'adminToken' | 'clientId'>;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());
beforeEach(async () => {
  const tenant = await service.newTenant();
  own = { ...tenant, rest: restAs(service.baseUrl, tenant) };
  await ok(own.rest('POST', '/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' }));
});

const REFUSED = { status: 409, body: { code: 'TOO_MANY_ACTIVE_MISSIONS', message: expect.stringContaining('LOGIN') } };

const missions = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Mission ${index}` }));

/** Active missions on LOGIN, in campaigns of 50. */
const activeMissions = (count: number) =>
  writeLargeCatalogue(service.db, own.clientId, {
    campaigns: count / 50,
    missionsPerCampaign: 50,
    programmaticCode: 'LOGIN',
  });

const draftOf = (count: number) => newGame(own, { codes: {}, missions: missions(count), activate: false });
const activate = (id: string) => own.rest('POST', `/admin/campaigns/${id}/activate`);
const pause = (id: string) => own.rest('POST', `/admin/campaigns/${id}/pause`);

/** A mission in the form of UpdateCampaign. */
function asDraft({ campaignId: _campaign, position: _position, ...mission }: Record<string, unknown>) {
  return mission;
}

async function standalone(audienceId: string, more: Record<string, unknown> = {}) {
  const mission = { type: 'MISSION', name: 'Alone', programmaticCode: 'LOGIN', target: 1, ...more };
  return own.rest('POST', '/admin/missions', { audienceId, mission });
}

describe('with 500 active missions on one code', () => {
  test('a campaign with one more is not activated, which its preview tells beforehand', async () => {
    await activeMissions(450);
    const { campaignId } = await draftOf(50);
    const other = await draftOf(1);
    await ok(activate(campaignId));
    const preview = await ok(own.rest('GET', `/admin/campaigns/${other.campaignId}/activation-preview`));
    expect(preview.problems).toMatchObject([
      { field: 'missions[0].programmaticCode', message: expect.stringContaining('500') },
    ]);
    expect(await activate(other.campaignId)).toMatchObject(REFUSED);
    expect((await ok(own.rest('GET', `/admin/campaigns/${other.campaignId}`))).status).toBe('DRAFT');
  });

  test('a paused campaign is not resumed until there is room again', async () => {
    await activeMissions(450);
    const [first, second] = [await draftOf(50), await draftOf(1)];
    await ok(activate(first.campaignId));
    await ok(pause(first.campaignId));
    await ok(activate(second.campaignId));
    expect(await activate(first.campaignId)).toMatchObject(REFUSED);
    await ok(pause(second.campaignId));
    await ok(activate(first.campaignId));
  });

  test('a standalone mission is not created, nor an ended one offered again', async () => {
    await activeMissions(450);
    const { campaignId, audienceId } = await draftOf(49);
    await ok(activate(campaignId));
    const last = await ok(standalone(audienceId));
    expect(await standalone(audienceId)).toMatchObject(REFUSED);
    const { version } = await ok(own.rest('POST', `/admin/missions/${last.id}/end`));
    await ok(standalone(audienceId));
    const mission = { type: 'MISSION', name: 'Alone', programmaticCode: 'LOGIN', target: 1 };
    expect(await own.rest('PUT', `/admin/missions/${last.id}`, { version, mission })).toMatchObject(REFUSED);
  });

  test('missions on another code, of drafts, and those that are over, take no room', async () => {
    await ok(own.rest('POST', '/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' }));
    await activeMissions(450);
    const { audienceId } = await draftOf(50);
    for (const _ of missions(3)) await ok(standalone(audienceId, { programmaticCode: 'VISIT' }));
    for (const _ of missions(3)) await ok(standalone(audienceId, { endsAt: '2020-01-01T00:00:00Z' }));
    const { campaignId } = await draftOf(50);
    await ok(activate(campaignId));
  });
});

describe('a catalogue that has more than that from before', () => {
  test('goes on to work: events count, campaigns are renamed, paused and ended', async () => {
    await activeMissions(600);
    const event = { programmaticCode: 'LOGIN', accountId: 'ann', idType: 'EXTERNAL' };
    expect((await ok(own.rest('POST', '/gamification/triggers', event))).progressedMissions).toHaveLength(600);
    const [{ id, version, ...campaign }] = (await ok(own.rest('GET', '/admin/campaigns/paginated?page=1&limit=1')))
      .rows;
    const { audienceIds, rewardIds } = campaign;
    const kept = campaign.missions.map(asDraft);
    const renamed = { name: 'Renamed', audienceIds, rewardIds, missions: kept };
    await ok(own.rest('PUT', `/admin/campaigns/${id}`, { version, campaign: renamed }));
    await ok(pause(id));
    expect(await activate(id)).toMatchObject(REFUSED);
    await ok(own.rest('POST', `/admin/campaigns/${id}/end`));
  });

  test('a campaign whose end is moved into the future needs room as well', async () => {
    await activeMissions(450);
    const [brief, next] = [await draftOf(50), await draftOf(50)];
    await ok(activate(brief.campaignId));
    const { version, ...campaign } = await ok(own.rest('GET', `/admin/campaigns/${brief.campaignId}`));
    const { audienceIds, rewardIds } = campaign;
    const kept = campaign.missions.map(asDraft);
    const until = (endsAt: string | undefined, at: number) =>
      own.rest('PUT', `/admin/campaigns/${brief.campaignId}`, {
        version: at,
        campaign: { name: 'Brief', audienceIds, rewardIds, missions: kept, endsAt },
      });
    const over = await ok(until('2020-01-01T00:00:00Z', version));
    await ok(activate(next.campaignId));
    expect(await until(undefined, over.version)).toMatchObject(REFUSED);
  });
});

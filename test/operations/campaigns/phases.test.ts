import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** A client with one campaign in each phase: each combination of a status and two times. */
async function everyPhase(): Promise<{ tenant: Tenant; ids: Record<string, string> }> {
  const tenant = await service.newTenant();
  const admin = (method: string, path: string, body?: object) =>
    ok(service.rest(method, path, body, tenant.adminToken));
  const plans = {
    draft: {},
    scheduled: { startsAt: inHours(24) },
    active: { startsAt: inHours(-24), endsAt: inHours(24) },
    paused: { endsAt: inHours(24) },
    pausedBeforeItsStart: { startsAt: inHours(24) },
    over: { endsAt: inHours(24) },
    pausedAndOver: { endsAt: inHours(24) },
    ended: {},
  };
  const ids: Record<string, string> = {};
  for (const [name, times] of Object.entries(plans)) {
    const { campaignId } = await newGame(service, {
      adminToken: tenant.adminToken,
      activate: name !== 'draft',
      campaign: { name, ...times },
    });
    ids[name] = campaignId;
    if (name.startsWith('paused')) await admin('POST', `/admin/campaigns/${campaignId}/pause`);
    if (name === 'ended') await admin('POST', `/admin/campaigns/${campaignId}/end`);
  }
  // The end passes without a job or a call.
  await service.db.unitOfWork(tenant.clientId, (uow) =>
    uow.query(`update campaign set ends_at = now() - interval '1 second' where client_id = $1 and id = any($2)`, [
      tenant.clientId,
      [ids['over'], ids['pausedAndOver']],
    ]),
  );
  return { tenant, ids };
}

const PHASES = {
  draft: 'DRAFT',
  scheduled: 'SCHEDULED',
  active: 'ACTIVE',
  paused: 'PAUSED',
  pausedBeforeItsStart: 'PAUSED',
  over: 'FINISHED',
  pausedAndOver: 'FINISHED',
  ended: 'FINISHED',
} as const;

describe('the phase of a campaign', () => {
  test('is what its accounts live in, read alone, in a list, by a filter and in the overview', async () => {
    const { tenant, ids } = await everyPhase();
    const read = (path: string) => ok(service.rest('GET', path, undefined, tenant.adminToken));
    const list = async (...filters: readonly object[]) => {
      const page = await read(
        `/admin/campaigns/paginated?page=1&limit=50&filters=${encodeURIComponent(JSON.stringify({ filters }))}`,
      );
      return page.rows.map(({ name, phase }: { name: string; phase: string }) => [name, phase]);
    };
    for (const [name, phase] of Object.entries(PHASES))
      expect((await read(`/admin/campaigns/${ids[name]}`)).phase, name).toBe(phase);
    expect(Object.fromEntries(await list())).toEqual(PHASES);
    for (const phase of new Set(Object.values(PHASES))) {
      const wanted = Object.entries(PHASES).filter(([, its]) => its === phase);
      expect(Object.fromEntries(await list({ field: 'phase', value: phase })), phase).toEqual(
        Object.fromEntries(wanted),
      );
    }
    expect((await read('/admin/statistics/overview')).totals.activeCampaigns).toBe(1);
  });

  test('is in the answer of what changes it, and in no entry of the audit log', async () => {
    const { campaignId } = await newGame(service, { activate: false, campaign: { startsAt: inHours(1) } });
    const change = (what: string) => ok(service.rest('POST', `/admin/campaigns/${campaignId}/${what}`));
    expect(await change('activate')).toMatchObject({ status: 'ACTIVE', phase: 'SCHEDULED' });
    expect(await change('pause')).toMatchObject({ status: 'PAUSED', phase: 'PAUSED' });
    expect(await change('end')).toMatchObject({ status: 'ENDED', phase: 'FINISHED' });
    const filters = encodeURIComponent(JSON.stringify({ filters: [{ field: 'resourceId', value: campaignId }] }));
    const { rows } = await ok(service.rest('GET', `/admin/audit/paginated?page=1&limit=50&filters=${filters}`));
    expect(rows.length).toBe(4);
    expect(JSON.stringify(rows)).not.toContain('phase');
  });
});

// Definitions that hosts of the previous release treat wrongly, in a database that it has played.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { checkUpgrade, type UpgradeVerdict } from '../../src/commands/database/upgrade-check.ts';
import { ok } from '../support/administration.ts';
import { releasedDatabase } from '../support/released-database.ts';
import { startService, type Tenant, type TestService } from '../support/service.ts';

const IN_USE = 'In use, and treated wrongly by hosts of 0.2.0:';
const NOT_IN_USE = /^Not in use yet, and treated wrongly by hosts of 0\.2\.0:/;

let released: Awaited<ReturnType<typeof releasedDatabase>>;
let service: TestService;
let tenant: Tenant;
let beforehand: UpgradeVerdict;
beforeAll(async () => {
  released = await releasedDatabase('v0.2.0', {
    async prepare(client) {
      const { rows } = await client.query<{ name: string }>('select current_database() as name');
      const url = new URL(inject('templateUrl'));
      url.pathname = `/${rows[0]!.name}`;
      beforehand = await checkUpgrade(url.href);
    },
  });
  service = await startService({ database: released.database });
  tenant = await service.newTenant();
  await ok(admin('POST', '/admin/event-definitions', { programmaticCode: 'BUY', type: 'AMOUNT' }));
}, 120_000);
afterAll(() => service.close());

const admin = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.adminToken);

/** The lines below a heading. */
function below(lines: readonly string[], heading: string | RegExp): string[] {
  const text = lines.flatMap((line) => line.split('\n'));
  const start = text.findIndex((line) => (typeof heading === 'string' ? line === heading : heading.test(line)));
  if (start < 0) return [];
  const rest = text.slice(start + 1);
  const end = rest.findIndex((line) => !line.startsWith('      '));
  return rest.slice(0, end).map((line) => line.trim());
}

const check = () => checkUpgrade(released.database.url);

let names = 0;
async function newCampaign(
  mission: object,
  {
    audienceId,
    rewardIds,
    ...fields
  }: { audienceId?: string; rewardIds?: string[]; controlGroupPercent?: number } = {},
) {
  const audience =
    audienceId ?? (await ok(admin('POST', '/admin/audiences', { name: `A ${(names += 1)}`, kind: 'EVERYONE' }))).id;
  const { id } = await ok(admin('POST', '/admin/rewards', { name: 'Fixed', type: 'POINTS', amount: 1 }));
  const campaign = await ok(
    admin('POST', '/admin/campaigns', {
      ...fields,
      name: 'C',
      audienceIds: [audience],
      rewardIds: rewardIds ?? [id],
      missions: [{ type: 'MISSION', name: `Mission ${(names += 1)}`, programmaticCode: 'BUY', target: 5, ...mission }],
    }),
  );
  return { campaignId: campaign.id as string, mission: campaign.missions[0] as { id: string; name: string } };
}

/** A definition's line, and how it comes into use and out of use. */
type Definition = { readonly line: string; readonly use: () => Promise<unknown>; readonly end: () => Promise<unknown> };

const kinds: Readonly<Record<string, () => Promise<Definition>>> = {
  'a mission with an expression': () => ofMission({ conditions: { expression: 'event.amount > 2' } }),
  'a mission with a cooldown': () => ofMission({ conditions: { cooldownMinutes: 5 } }),
  'a mission that repeats': () => ofMission({ repeat: { max: 3 } }),
  'a mission that counts events': () => ofMission({ counts: 'EVENTS' }),
  async 'a campaign with a control group'() {
    const { campaignId } = await newCampaign({}, { controlGroupPercent: 10 });
    return { line: `campaign ${campaignId} "C"`, ...inCampaign(campaignId) };
  },
  async 'an audience by expression'() {
    const audience = { name: 'New here', kind: 'RULE', expression: 'now - account.createdAt < duration("24h")' };
    const { id } = await ok(admin('POST', '/admin/audiences', audience));
    const { campaignId } = await newCampaign({}, { audienceId: id });
    return { line: `audience ${id} "New here"`, ...inCampaign(campaignId) };
  },
  async 'a reward by expression'() {
    const reward = { name: 'Half', type: 'POINTS', amountExpression: '7 / 2', amountMax: 10 };
    const { id } = await ok(admin('POST', '/admin/rewards', reward));
    const { campaignId } = await newCampaign({}, { rewardIds: [id] });
    return { line: `reward ${id} "Half"`, ...inCampaign(campaignId) };
  },
};

async function ofMission(fields: object): Promise<Definition> {
  const { campaignId, mission } = await newCampaign(fields);
  return { line: `mission ${mission.id} ${JSON.stringify(mission.name)}`, ...inCampaign(campaignId) };
}

function inCampaign(campaignId: string) {
  const change = (verb: string) => ok(admin('POST', `/admin/campaigns/${campaignId}/${verb}`));
  return { use: () => change('activate'), end: () => change('end') };
}

test('a webhook endpoint is in use until it is deleted', async () => {
  const endpoint = { name: 'All', url: 'https://example.com/', types: ['STOCK_LOW'] };
  const { id } = await ok(admin('POST', '/webhooks/endpoints', { endpoint }));
  const used = await check();
  expect(used.rolling).toBe(false);
  const line = `webhook endpoint ${id} "All" of the client ${tenant.clientId}`;
  expect(below(used.lines, IN_USE)).toEqual([expect.stringContaining(line)]);
  await ok(admin('DELETE', `/webhooks/endpoints/${id}`));
  expect((await check()).rolling).toBe(true);
});

test('a played database of the previous release has none, before and after its migration, so both may serve it', async () => {
  expect(await check()).toMatchObject({ rolling: true });
  expect(beforehand).toMatchObject({ rolling: true });
  expect(below(beforehand.lines, IN_USE)).toEqual([]);
  expect(below(beforehand.lines, NOT_IN_USE)).toEqual([]);
});

test.each(Object.entries(kinds))(
  '%s is named before it is in use; while it is, hosts of the previous release must not serve',
  async (_kind, create) => {
    const { line, use, end } = await create();
    const named = `${line} of the client ${tenant.clientId}`;
    const isNamed = expect.arrayContaining([expect.stringContaining(named)]);
    const draft = await check();
    expect(draft.rolling).toBe(true);
    expect(below(draft.lines, NOT_IN_USE)).toEqual(isNamed);
    expect(below(draft.lines, IN_USE)).toEqual([]);
    await use();
    const used = await check();
    expect(used.rolling).toBe(false);
    expect(below(used.lines, IN_USE)).toEqual(isNamed);
    expect(below(used.lines, NOT_IN_USE)).not.toEqual(isNamed);
    expect(used.lines.at(-1)).toContain('stop every host of this release');
    await end();
    // An ended campaign counts late events no more: its missions are named nowhere.
    const ended = await check();
    expect(ended.rolling).toBe(true);
    expect(below(ended.lines, IN_USE)).toEqual([]);
  },
);

test('a reward by expression in a chest is in use, because every opening of it pays', async () => {
  const reward = { name: 'In a chest', type: 'POINTS', amountExpression: '7 / 2', amountMax: 10 };
  const { id: rewardId } = await ok(admin('POST', '/admin/rewards', reward));
  const chest = { name: 'Chest', entries: [{ rewardId, guaranteed: true }] };
  const { id } = await ok(admin('POST', '/admin/chests', chest));
  expect(below((await check()).lines, IN_USE)).toEqual([expect.stringContaining(`reward ${rewardId} "In a chest"`)]);
  await ok(admin('POST', `/admin/chests/${id}/archive`));
  expect((await check()).rolling).toBe(true);
});

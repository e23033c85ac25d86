// docs/control-groups.md: the tables up to the effect are played through the service; effect.test.ts has that.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileCampaign } from '../../../src/engine/campaign-plan.ts';
import { isHeldBack } from '../../../src/engine/control-group.ts';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { pageTables } from '../../support/page-tables.ts';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';
import { enableBackfill } from '../triggers/backfill-fixture.ts';
import { untilApplied } from '../triggers/inbox-fixture.ts';

type Json = RestAnswer['body'];

const page = readFileSync(new URL('../../../docs/control-groups.md', import.meta.url), 'utf8');

/** The rows of the table whose first heading is `head`. */
function rowsOf(head: string): string[][] {
  const [, , ...rows] = pageTables(page).find(([columns]) => columns![0] === head) ?? [];
  return rows;
}

/** The rule of the page, by other means than the service. */
function isInGroup(campaignId: string, accountId: string, percent: number): boolean {
  const digest = createHash('sha256').update(`${campaignId}:${accountId}`).digest();
  return BigInt(digest.readUInt32BE(0)) * 100n < BigInt(percent) * 2n ** 32n;
}

let service: TestService;

beforeAll(async () => {
  service = await startService();
  await enableBackfill(service, 30);
  const endpoint = { name: 'All', url: 'http://127.0.0.1:1/', types: ['MISSION_COMPLETED', 'REWARD_EARNED'] };
  await ok(service.rest('POST', '/webhooks/endpoints', { endpoint }));
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

const call = (method: string, path: string, body?: Json) => service.rest(method, path, body);
const admin = (path: string, body?: Json): Promise<Json> => ok(call('POST', path, body));

// oxlint-disable-next-line typescript/no-explicit-any -- as bodies are.
function draftOf({ name, description, audienceIds, rewardIds, claimPolicy, startsAt, endsAt, missions }: any): Json {
  const own = missions.map(({ campaignId: _campaign, position: _position, ...mission }: Json) => mission);
  return { name, description, audienceIds, rewardIds, claimPolicy, startsAt, endsAt, missions: own };
}

const campaigns: Readonly<Record<string, () => Promise<Json>>> = {
  'is new': async () => undefined,
  'is a draft with 10': async () => newCampaign({ activate: false, campaign: { controlGroupPercent: 10 } }),
  'is active and starts later': async () =>
    newCampaign({ campaign: { startsAt: new Date(Date.now() + 86_400_000).toISOString() } }),
  'has begun with 10': async () => newCampaign({ campaign: { controlGroupPercent: 10 } }),
};

async function newCampaign(options: Parameters<typeof newGame>[1]): Promise<Json> {
  const { campaignId } = await newGame(service, options);
  return ok(call('GET', `/admin/campaigns/${campaignId}`));
}

test.each(rowsOf('The campaign'))('the percent: %s, %s: %s', async (kind, request, expected) => {
  const stored = await campaigns[kind]!();
  const controlGroupPercent = /^\d+$/.test(request) ? Number(request) : undefined;
  const send = async (): Promise<RestAnswer> => {
    if (request === 'a duplicate of it')
      return call('POST', `/admin/campaigns/${stored.id}/duplicate`, { name: 'Copy' });
    if (stored) {
      const campaign = { ...draftOf(stored), controlGroupPercent };
      return call('PUT', `/admin/campaigns/${stored.id}`, { version: stored.version, campaign });
    }
    const other = draftOf(await newCampaign({ activate: false }));
    return call('POST', '/admin/campaigns', { ...other, controlGroupPercent });
  };
  const { status, body } = await send();
  const held = body.controlGroupPercent as number | undefined;
  const shown = held === undefined ? 'without `controlGroupPercent`' : `with \`controlGroupPercent\` ${held}`;
  const seen = status < 300 ? `${status}, ${shown}` : `${status} \`${body.code}\``;
  expect(expected.split(':')[0]).toBe(seen);
});

test.each(rowsOf('Campaign'))('who is held back: %s, %s, from %s', (campaign, account, least) => {
  const [campaignId, accountId] = [campaign.slice(1, -1), account.slice(1, -1)];
  const rule = { id: campaignId, status: 'ACTIVE', audienceIds: [], claimPolicy: 'AUTOMATIC', rewardIds: [] } as const;
  const percents = Array.from({ length: 91 }, (_, percent) => percent);
  const holding = percents.filter((controlGroupPercent) =>
    isHeldBack(compileCampaign({ ...rule, controlGroupPercent }, []), accountId),
  );
  expect(holding).toEqual(percents.filter((percent) => isInGroup(campaignId, accountId, percent)));
  // A larger group has all accounts of a smaller one.
  const from = holding[0] ?? 91;
  expect(holding).toEqual(percents.slice(from));
  expect(least.split(':')[0]).toBe(from === 91 ? 'none' : `${from}`);
});

let scenes = 0;

/** An active campaign that holds half of the accounts back, with a mission of 10 that pays 5 points. */
async function newScene() {
  scenes += 1;
  const code = `SCENE_${scenes}`;
  await admin('/admin/event-definitions', { programmaticCode: code, type: 'AMOUNT' });
  await admin('/admin/event-definitions', { programmaticCode: `${code}_NEVER`, type: 'SINGLE' });
  const [audience, other, everyone] = await Promise.all([
    admin('/admin/audiences', { name: code, kind: 'MANUAL' }),
    admin('/admin/audiences', { name: `${code} other`, kind: 'MANUAL' }),
    admin('/admin/audiences', { name: `${code} everyone`, kind: 'EVERYONE' }),
  ]);
  const five = await admin('/admin/rewards', { name: 'Five', type: 'POINTS', amount: 5 });
  const mission = { type: 'MISSION', name: code, programmaticCode: code, target: 10, rewardIds: [five.id] };
  const campaign = await admin('/admin/campaigns', {
    ...{ name: code, audienceIds: [audience.id, other.id], rewardIds: [five.id], controlGroupPercent: 50 },
    ...{ claimPolicy: 'EXPLICIT', startsAt: new Date(Date.now() - 20 * 86_400_000).toISOString() },
    missions: [mission, { type: 'MISSION', name: 'Never', programmaticCode: `${code}_NEVER`, target: 1 }],
  });
  await admin(`/admin/campaigns/${campaign.id}/activate`);
  const missionIds: string[] = campaign.missions.map(({ id }: Json) => id);
  const change = (verb: 'assign' | 'remove', audienceId: string, accountId: string) =>
    ok(
      call(verb === 'assign' ? 'POST' : 'DELETE', `/gamification/audiences/${audienceId}/accounts/${verb}`, {
        accountIds: [accountId],
      }),
    );
  const eventOf = (accountId: string, amount: number, fields: Json = {}) => {
    return { programmaticCode: code, accountId, metadata: { amount }, ...fields };
  };
  const own = (path: string) => ok(call('GET', path)) as Promise<Json[]>;
  return {
    ...{ code, campaign, audience, other, everyone, eventOf, change, five },
    /** A new account of the audience that the campaign holds back, or not. */
    async account(heldBack: boolean): Promise<string> {
      for (;;) {
        const { id } = await admin('/accounts', {});
        if (isInGroup(campaign.id, id, 50) !== heldBack) continue;
        await change('assign', audience.id, id);
        return id;
      }
    },
    emit: (accountId: string, amount: number, fields: Json = {}) =>
      admin('/gamification/triggers', eventOf(accountId, amount, fields)),
    async reasonFor(accountId: string): Promise<string | undefined> {
      const rows: Json[] = await admin('/gamification/triggers/simulate', eventOf(accountId, 1));
      return rows.find(({ missionId }) => missionIds.includes(missionId))?.uncountedReason;
    },
    /** The progress of the campaign's mission as reads show it. */
    async shown(accountId: string): Promise<string> {
      const rows = [
        ...(await own(`/v1/gamification/missions/progress/${accountId}`)),
        ...(await own(`/v1/gamification/missions/completed/${accountId}`)),
      ].filter(({ missionId }) => missionIds.includes(missionId));
      return rows.length === 0 ? 'nothing' : rows.map(({ progress, status }) => `${progress} ${status}`).join(', ');
    },
    points: async (accountId: string) => (await ok(call('GET', `/loyalty/accounts/${accountId}/points`))).available,
    /** The bodies of webhooks that name an account. */
    webhooksOf: (accountId: string) =>
      service.db.unitOfWork(service.clientId, (uow) =>
        uow.query(
          `select body from outbox_message where client_id = $1 and strpos(body, $2) > 0
           union all select body from webhook_delivery where client_id = $1 and strpos(body, $2) > 0`,
          [uow.clientId, accountId],
        ),
      ),
  };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

/** The effect of an event that was answered with a success, as the page says it. */
async function nothingFor({ shown, points, webhooksOf }: Scene, accountId: string): Promise<string> {
  expect(await shown(accountId)).toBe('nothing');
  expect(await points(accountId)).toBe(0);
  expect(await webhooksOf(accountId)).toEqual([]);
  return '200: no progress, no reward, no webhook';
}

/** Each row of the table, as the text of its effect. */
const effects: Readonly<Record<string, (scene: Scene, held: string) => Promise<string>>> = {
  async 'an event that a mission of the campaign counts'(scene, held) {
    expect(await scene.emit(held, 10)).toMatchObject({ progressedMissions: [], rewards: [] });
    const member = await scene.account(false);
    await scene.emit(member, 10);
    expect(await scene.shown(member)).toBe('10 COMPLETED');
    expect(await scene.webhooksOf(member)).not.toEqual([]);
    return nothingFor(scene, held);
  },
  async 'the same event, for a mission outside the campaign'({ code, emit, everyone }, held) {
    const mission = { type: 'MISSION', name: 'Apart', programmaticCode: code, target: 10 };
    await admin('/admin/missions', { audienceId: everyone.id, mission });
    expect(await emit(held, 10)).toMatchObject({ progressedMissions: [{ name: 'Apart', progress: 10 }] });
    return 'counts there';
  },
  async 'a late event'(scene, held) {
    await scene.emit(held, 10, { occurredAt: new Date(Date.now() - 1_000).toISOString() });
    return nothingFor(scene, held);
  },
  async 'an asynchronous event'(scene, held) {
    const member = await scene.account(false);
    for (const id of [held, member]) await admin('/gamification/triggers/async', scene.eventOf(id, 10));
    await untilApplied(service);
    expect(await scene.shown(member)).toBe('10 COMPLETED');
    return nothingFor(scene, held);
  },
  async 'a backfilled event'(scene, held) {
    const occurredAt = new Date().toISOString();
    const member = await scene.account(false);
    const triggers = [held, member].map((id) => scene.eventOf(id, 10, { occurredAt }));
    const body = { rewards: 'ALL', webhooks: true, triggers };
    await ok(service.rest('POST', '/gamification/triggers/backfill', body, service.adminToken));
    expect(await scene.shown(member)).toBe('10 COMPLETED');
    return nothingFor(scene, held);
  },
  async 'the feed'({ code, account }, held) {
    const names = async (id: string) => {
      const items: Json[] = await ok(call('GET', `/v1/feed/account/${id}`));
      return items.map(({ name }) => name).filter((name) => name === code);
    };
    expect([await names(held), await names(await account(false))]).toEqual([[], [code]]);
    return 'has no mission of the campaign';
  },
  async 'a claim of the campaign'({ campaign }, held) {
    const { status, body } = await call('POST', `/gamification/campaigns/${campaign.id}/claim`, { accountId: held });
    return `${status} \`${body.code}\``;
  },
  async 'the list of campaigns for apps, which is the same for all'({ campaign }) {
    const { rows } = await ok(call('GET', '/v1/campaigns/paginated?page=1&limit=1000'));
    const [offered] = (rows as Json[]).filter(({ id }) => id === campaign.id);
    expect(JSON.stringify(offered)).not.toMatch(/control/i);
    return `${offered ? 'has' : 'lacks'} the campaign, without the percent`;
  },
  'a simulation': async ({ reasonFor }, held) => `\`uncountedReason\` ${await reasonFor(held)}`,
  async 'the journal, if nothing counted the event'({ emit }, held) {
    await emit(held, 10);
    const { rows } = await ok(call('GET', `/admin/journal?accountId=${held}&limit=10`));
    return `\`uncountedReason\` ${rows[0].uncountedReason}`;
  },
  async '`GET /admin/accounts/{accountId}/control-groups`'({ account, campaign, change, audience, code }, held) {
    // Chance may hold the account back from the campaigns of other scenes too.
    const groupsOf = async (id: string) =>
      (await ok(call('GET', `/admin/accounts/${id}/control-groups`))).rows.filter(
        ({ campaignId }: Json) => campaignId === campaign.id,
      );
    expect(await groupsOf(held)).toEqual([
      { campaignId: campaign.id, campaignName: code, percent: 50, phase: 'ACTIVE' },
    ]);
    expect(await groupsOf(await account(false))).toEqual([]);
    await change('remove', audience.id, held);
    expect(await groupsOf(held)).toEqual([]);
    return 'the campaign with its percent';
  },
};

const calls = rowsOf('Call');

test('the table of calls has a play for each row', () => {
  expect(calls.map(([name]) => name)).toEqual(Object.keys(effects));
});

test.each(calls)('an account that is held back, %s: %s', async (name, effect) => {
  const scene = await newScene();
  expect(await effects[name]!(scene, await scene.account(true))).toBe(effect);
});

const changes: Readonly<Record<string, (scene: Scene, held: string) => Promise<unknown>>> = {
  async 'it leaves the audience and joins again'({ audience, change }, held) {
    await change('remove', audience.id, held);
    await change('assign', audience.id, held);
  },
  async 'it joins another audience of the campaign'({ audience, other, change }, held) {
    await change('assign', other.id, held);
    await change('remove', audience.id, held);
  },
  async 'the campaign gets another audience in which it is'({ campaign, everyone }) {
    const { version } = await ok(call('GET', `/admin/campaigns/${campaign.id}`));
    const draft = { ...draftOf(campaign), audienceIds: [everyone.id], controlGroupPercent: 50 };
    await ok(call('PUT', `/admin/campaigns/${campaign.id}`, { version, campaign: draft }));
  },
  async 'the campaign is paused and resumed'({ campaign }) {
    await admin(`/admin/campaigns/${campaign.id}/pause`);
    await admin(`/admin/campaigns/${campaign.id}/activate`);
  },
  'its external id and its name change': async ({ code }, held) =>
    ok(call('PATCH', `/accounts/${held}`, { externalId: `${code} renamed`, name: 'Renamed' })),
  'it leaves the audience': async ({ audience, change }, held) => change('remove', audience.id, held),
};

const standings: Readonly<Record<string, string>> = {
  CONTROL_GROUP: 'is held back',
  NOT_IN_AUDIENCE: 'is outside the audience',
};

const changeRows = rowsOf('What happens');

test('the table of changes has a play for each row', () => {
  expect(changeRows.map(([name]) => name)).toEqual(Object.keys(changes));
});

test.each(changeRows)('%s: it %s', async (name, afterwards) => {
  const scene = await newScene();
  const held = await scene.account(true);
  await changes[name]!(scene, held);
  expect(standings[(await scene.reasonFor(held)) ?? '']).toBe(afterwards);
});

/** An account as a cell of the table of merges has it. */
async function accountOf(scene: Scene, cell: string): Promise<string> {
  const [, held, has, got] = /^(is held back)?(?:has (\d+))?(?:, got (\d+) of C)?$/.exec(cell)!;
  const id = await scene.account(held !== undefined);
  if (has !== undefined) await scene.emit(id, Number(has));
  if (got === undefined) return id;
  const from = await scene.account(false);
  await scene.emit(from, Number(got));
  await merge(from, id);
  return id;
}

const merge = (from: string, into: string) =>
  admin(`/accounts/${from}/merge`, { intoAccountId: into, progress: 'SUM' });

test.each(rowsOf('A'))('a merge of A, which %s, into B, which %s', async (a, b, shows, points, afterwards) => {
  const scene = await newScene();
  const [from, into] = [await accountOf(scene, a), await accountOf(scene, b)];
  const before = await scene.shown(from);
  const { mergeId, undoable } = await merge(from, into);
  expect([await scene.shown(into), `${await scene.points(into)}`]).toEqual([shows, points]);
  if (undoable) {
    await admin(`/accounts/${into}/merges/${mergeId}/undo`, {});
    expect(await scene.shown(from)).toBe(before);
    await merge(from, into);
  }
  await scene.emit(from, 1);
  expect(await scene.shown(into)).toBe(afterwards);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok, pageQuery } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { download } from '../imports/files.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';

const DAY = 86_400_000;

let service: TestService;
let tenant: Tenant;
/** The milliseconds by which the service's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  service = await startService({ clock: () => new Date(Date.now() + ahead) });
  tenant = await service.newTenant();
  await ok(admin('PUT', '/admin/account-attributes', { version: 1, attributes: ATTRIBUTES }));
});
afterAll(() => service.close());

const ATTRIBUTES = [
  { name: 'tier', type: 'STRING' },
  { name: 'visits', type: 'NUMBER' },
  { name: 'secret', type: 'STRING', personal: true },
];
const GOLD = 'account.tier == "GOLD"';

const admin = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.adminToken);
const app = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.apiKey);

let names = 0;
const newAudience = (expression = GOLD) =>
  ok(admin('POST', '/admin/audiences', { name: `Rule ${(names += 1)}`, kind: 'RULE', expression }));
const newAccount = (attributes?: object) =>
  ok(app('POST', '/accounts', { externalId: `ruled-${(names += 1)}`, attributes }));

/** The names of accounts in an audience, as the list of its members has them. */
async function membersOf(id: string, query = pageQuery()): Promise<string[]> {
  const { rows } = await ok(admin('GET', `/admin/audiences/${id}/members/paginated?${query}`));
  return rows.map(({ account }: { account: { externalId: string } }) => account.externalId);
}

describe('a RULE audience', () => {
  test('has the accounts for which its expression holds: in its list, its count and its export, and of each account', async () => {
    const { id } = await newAudience('account.tier == "LIST" && account.visits > 2');
    const [one, two] = [await newAccount({ tier: 'LIST', visits: 3 }), await newAccount({ tier: 'LIST', visits: 4 })];
    const other = await newAccount({ tier: 'LIST', visits: 2 });
    await newAccount({ tier: 'LIST' });
    await newAccount();
    expect(await membersOf(id)).toEqual([one.externalId, two.externalId]);
    expect(await membersOf(id, `${pageQuery()}&search=${two.externalId}`)).toEqual([two.externalId]);
    expect(await ok(admin('GET', `/admin/audiences/${id}`))).toMatchObject({ memberCount: 2 });
    const text = await download(service, `/admin/exports/accounts.csv?audienceId=${id}`, tenant.adminToken);
    const exported = text.trim().split(/\r?\n/).slice(1);
    expect(exported.map((line) => line.split(',')[1])).toEqual([one.externalId, two.externalId]);
    const audiencesOf = async (accountId: string) =>
      (await admin('GET', `/admin/accounts/${accountId}/audiences`)).body.map(
        (audience: { id: string }) => audience.id,
      );
    expect(await audiencesOf(one.id)).toContain(id);
    expect(await audiencesOf(other.id)).not.toContain(id);
    const memberships = async (accountId: string) =>
      (await ok(app('GET', `/v1/accounts/${accountId}/audiences/paginated?page=1&limit=10`))).rows;
    expect(await memberships(one.id)).toMatchObject([{ audience: { id, kind: 'RULE' } }]);
    expect(await memberships(other.id)).toEqual([]);
  });

  test('counts each account once beside an audience with assigned accounts', async () => {
    const [gold, both, assigned] = [
      await newAccount({ tier: 'TWO' }),
      await newAccount({ tier: 'TWO' }),
      await newAccount(),
    ];
    const rule = await newAudience('account.tier == "TWO"');
    const manual = await ok(admin('POST', '/admin/audiences', { name: 'Assigned', kind: 'MANUAL' }));
    await ok(
      app('POST', `/gamification/audiences/${manual.id}/accounts/assign`, { accountIds: [both.id, assigned.id] }),
    );
    const { campaignId } = await newGame(service, {
      adminToken: tenant.adminToken,
      campaign: { audienceIds: [rule.id, manual.id] },
    });
    expect(await ok(admin('GET', `/admin/campaigns/${campaignId}/funnel`))).toMatchObject({ members: 3 });
    expect(gold.id).toBeDefined();
  });

  test('is explained for one account, with values, except personal ones', async () => {
    const { id } = await newAudience('account.tier == "GOLD" && account.secret == "x"');
    const explain = async (attributes: object) => {
      const account = await newAccount(attributes);
      return await ok(admin('GET', `/admin/audiences/${id}/accounts/${account.id}/explanation`));
    };
    expect(await explain({ tier: 'SILVER' })).toEqual({
      member: false,
      explanation: 'account.tier is "SILVER", needed "GOLD"',
    });
    expect(await explain({ tier: 'GOLD' })).toEqual({ member: false, explanation: 'account.secret is missing' });
    expect(await explain({ tier: 'GOLD', secret: 'y' })).toEqual({
      member: false,
      explanation: 'account.secret is ***, needed "x"',
    });
    expect(await explain({ tier: 'GOLD', secret: 'x' })).toMatchObject({ member: true });
  });

  test('changes its expression, and events are judged by the new one at once', async () => {
    const audience = await newAudience();
    const { missionIds } = await newGame(service, {
      adminToken: tenant.adminToken,
      missions: [{ target: 9 }],
      campaign: { audienceIds: [audience.id] },
    });
    const { id } = await newAccount({ tier: 'SILVER' });
    const counts = async () => {
      const { body } = await app('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', accountId: id });
      return body.progressedMissions.some(({ missionId }: { missionId: string }) => missionId === missionIds[0]);
    };
    expect(await counts()).toBe(false);
    await ok(
      admin('PUT', `/admin/audiences/${audience.id}`, {
        version: 1,
        name: 'Silver',
        expression: 'account.tier == "SILVER"',
      }),
    );
    expect(await counts()).toBe(true);
  });

  test.each([
    ['GET', '', undefined, 404, 'AUDIENCE_NOT_FOUND'],
    ['POST', '', { name: 'No rule', kind: 'RULE' }, 400, 'BAD_REQUEST'],
    ['POST', '', { name: 'Mistake', kind: 'RULE', expression: 'account.teir == "GOLD"' }, 400, 'BAD_REQUEST'],
    ['POST', '', { name: 'Event', kind: 'RULE', expression: 'event.amount > 2' }, 400, 'BAD_REQUEST'],
    ['POST', '', { name: 'Manual', kind: 'MANUAL', expression: GOLD }, 400, 'BAD_REQUEST'],
  ])('%s %s with %j is refused', async (method, _, body, status, code) => {
    const path =
      method === 'GET'
        ? `/admin/audiences/${crypto.randomUUID()}/accounts/x/explanation?idType=EXTERNAL`
        : '/admin/audiences';
    expect(await admin(method, path, body)).toMatchObject({ status, body: { code } });
  });

  test('takes no accounts by hand, and is the only kind that is explained', async () => {
    const { id } = await newAudience();
    const account = await newAccount();
    const assign = await app('POST', `/gamification/audiences/${id}/accounts/assign`, { accountIds: [account.id] });
    expect(assign).toMatchObject({
      status: 409,
      body: { code: 'AUDIENCE_NOT_MANUAL', message: expect.stringContaining('expression holds') },
    });
    const everyone = await ok(admin('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' }));
    const path = `/admin/audiences/${everyone.id}/accounts/${account.id}/explanation`;
    expect(await admin('GET', path)).toMatchObject({ status: 409, body: { code: 'AUDIENCE_NOT_RULE' } });
  });

  test('keeps the attributes that its expression uses', async () => {
    const own = await service.newTenant();
    const put = (version: number, attributes: readonly object[]) =>
      service.rest('PUT', '/admin/account-attributes', { version, attributes }, own.adminToken);
    await put(1, ATTRIBUTES);
    await service.rest('POST', '/admin/audiences', { name: 'Gold', kind: 'RULE', expression: GOLD }, own.adminToken);
    const message = expect.stringContaining("account.tier of audience 'Gold'");
    expect(await put(2, [])).toMatchObject({ status: 409, body: { code: 'ATTRIBUTE_IN_USE', message } });
  });
});

describe('a campaign for a RULE audience', () => {
  const feedOf = async (accountId: string, campaignId: string, filters = '{}') =>
    (await app('GET', `/v1/feed/account/${accountId}?filters=${encodeURIComponent(filters)}`)).body.filter(
      (item: { campaignId: string }) => item.campaignId === campaignId,
    );

  test('is offered, and counts events, as long as the expression holds; progress stays', async () => {
    const audience = await newAudience('account.tier == "FEED"');
    const { campaignId } = await newGame(service, {
      adminToken: tenant.adminToken,
      missions: [{ target: 3 }],
      campaign: { audienceIds: [audience.id] },
    });
    const { id } = await newAccount({ tier: 'OTHER' });
    const emit = () => app('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', accountId: id });
    await emit();
    expect(await feedOf(id, campaignId)).toEqual([]);
    await app('PATCH', `/accounts/${id}`, { attributes: { tier: 'FEED' } });
    await emit();
    expect(await feedOf(id, campaignId)).toMatchObject([{ status: 'ACTIVE', progress: 1 }]);
    await app('PATCH', `/accounts/${id}`, { attributes: { tier: null } });
    await emit();
    expect(await feedOf(id, campaignId)).toEqual([]);
    await app('PATCH', `/accounts/${id}`, { attributes: { tier: 'FEED' } });
    expect(await feedOf(id, campaignId)).toMatchObject([{ status: 'ACTIVE', progress: 1 }]);
  });

  test('counts a late event by the account as it is when the event is applied: nobody knows since when it is so', async () => {
    const audience = await newAudience('account.tier == "TARDY"');
    const { campaignId } = await newGame(service, {
      adminToken: tenant.adminToken,
      missions: [{ target: 3 }],
      campaign: { audienceIds: [audience.id] },
    });
    const { id } = await newAccount();
    const occurredAt = new Date().toISOString();
    ahead = DAY / 2;
    await app('PATCH', `/accounts/${id}`, { attributes: { tier: 'TARDY' } });
    await app('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', accountId: id, occurredAt });
    expect(await feedOf(id, campaignId)).toMatchObject([{ status: 'ACTIVE', progress: 1 }]);
    ahead = 0;
  });

  test('that is over is shown as missed only to who had progress: nobody knows since when the others are in it', async () => {
    const audience = await newAudience('account.tier == "LATE"');
    const endsAt = new Date(Date.now() + DAY).toISOString();
    const { campaignId } = await newGame(service, {
      adminToken: tenant.adminToken,
      missions: [{ target: 3 }],
      campaign: { audienceIds: [audience.id], endsAt },
    });
    const [begun, idle] = [await newAccount({ tier: 'LATE' }), await newAccount({ tier: 'LATE' })];
    await app('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', accountId: begun.id });
    expect(await feedOf(idle.id, campaignId)).toMatchObject([{ status: 'ACTIVE' }]);
    ahead = 2 * DAY;
    const missed = '{"filters":[{"field":"status","value":"EXPIRED"}]}';
    expect(await feedOf(begun.id, campaignId, missed)).toMatchObject([{ status: 'EXPIRED', progress: 1 }]);
    expect(await feedOf(idle.id, campaignId, missed)).toEqual([]);
    ahead = 0;
  });
});

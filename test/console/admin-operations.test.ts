import type { DescMethod } from '@bufbuild/protobuf';
import { en } from '../../src/console/messages/en/index.ts';
import { es } from '../../src/console/messages/es/index.ts';
import type { Messages } from '../../src/console/messages/messages.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Permission } from '../../gen/laurel/auth/v1/options_pb.ts';
import { routes } from '../../gen/routes.ts';
import type { Route } from '../../src/gateway/route.ts';
import { requiredPermissions } from '../../src/server/rpc/required-permission.ts';
import { type Fields, hasSample, nameOf, restRequest, samplesOf } from '../contract/support/requests.ts';
import { newWorld, type World } from '../contract/support/world.ts';
import { newRetry } from '../operations/webhooks/new-retry.ts';
import { sharedService, type Tenant, type TestService } from '../support/service.ts';

/** Changing operations that are not an administrator's change, each with the reason. */
const UNRECORDED: Readonly<Record<string, string>> = {
  'LevelTrackAdminService.previewLevelTrack': 'it counts accounts and changes nothing',
  'SessionService.signIn': 'is of people, and recorded: test/operations/clients/sessions.test.ts',
  'SessionService.signOut': 'is of people, and recorded: test/operations/clients/sessions.test.ts',
  'SessionService.endSession': 'is of people, and recorded: test/operations/clients/own-sessions.test.ts',
  'SessionService.changePassword': 'is of people, and recorded: test/operations/clients/sessions.test.ts',
  'SessionService.beginSecondFactor': 'is of people, and shows nothing before it is confirmed',
  'SessionService.confirmSecondFactor': 'is of people, and recorded: test/operations/clients/second-factor.test.ts',
  'SessionService.disableSecondFactor': 'is of people, and recorded: test/operations/clients/second-factor.test.ts',
  'AlertAdminService.testAlert': 'sends a trial message and stores nothing',
  'CampaignAdminService.getReach': 'reads, and is a POST because it asks about much',
  'ExpressionAdminService.checkExpression': 'reads, and is a POST because the text may be long',
  'ExpressionAdminService.countExpressionMatches': 'reads, and is a POST because the text may be long',
  'SessionService.refreshSession': 'happens by itself, all day long',
};

const needs = requiredPermissions();
/** test/contract/isolation.test.ts checks that all of them have a sample. */
const admin = routes.filter((route) => route.path.startsWith('/admin/') && hasSample(route));
const closed = admin.filter(({ rpc }) => needs(rpc) !== Permission.ANYONE);
const mutating = admin.filter((route) => route.httpMethod !== 'GET' && !(nameOf(route) in UNRECORDED));
const named = (list: readonly Route[]) => list.map((route) => [nameOf(route), route] as const);

let service: TestService;
let world: World;

beforeAll(async () => {
  service = await sharedService();
  world = await newWorld(service, service, 'OURS');
});
afterAll(() => service.close());

async function ask(route: Route, fields: Fields, token: string) {
  const { method, path, body } = restRequest(route, fields);
  return service.rest(method, path, body, token);
}

test.each(named(closed))('%s is refused to an integrator', async (_name, route) => {
  const [sample] = samplesOf(route);
  expect(await ask(route, sample!(world), service.apiKey)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
});

describe("another client's administrator", () => {
  let stranger: Tenant;
  beforeAll(async () => {
    stranger = await service.newTenant();
  });

  // A token has no sessions.
  const notTheirs = [Permission.ADMINISTER_SERVICE, Permission.OWN_SESSION] as const;
  const resources = closed.filter(
    ({ path, rpc }) => path.includes('{') && !notTheirs.some((permission) => permission === needs(rpc)),
  );
  test.each(named(resources))('learns from %s that there is no such thing', async (_name, route) => {
    const [sample] = samplesOf(route);
    const { status, body } = await ask(route, sample!(world), stranger.adminToken);
    expect(status).toBe(404);
    expect(body.code).toMatch(/_NOT_FOUND$/);
  });
});

describe('the audit log', () => {
  test.each(named(mutating))('tells once of %s, with who and what, and nothing of a failure', async (name, route) => {
    const tenant = await service.newTenant();
    const own = await newWorld(service, tenant, 'OWN');
    const [sample] = samplesOf(route);
    const fields = { ...sample!(own), ...(await insteadOf(name, tenant, own)) };
    const token = needs(route.rpc) === Permission.ADMINISTER_SERVICE ? service.serviceToken : tenant.adminToken;

    const failing = failingFields(route, fields);
    const beforeFailure = await allEntries();
    expect((await ask(route, failing, token)).status).toBeGreaterThanOrEqual(400);
    expect(await allEntries()).toEqual(beforeFailure);

    const { status, body } = await ask(route, fields, token);
    expect({ status, body }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 300) });
    const fresh = (await allEntries()).filter((entry) => !beforeFailure.some(({ id }) => id === entry.id));
    expect(fresh).toHaveLength(1);
    expect(fresh[0]).toMatchObject({
      operation: `${route.rpc.parent.name}.${route.rpc.name}`,
      actor_type: 'CREDENTIAL',
      actor_name: token === service.serviceToken ? 'test SERVICE_ADMIN' : 'test CLIENT_ADMIN',
      resource_type: expect.stringMatching(/^[a-z]\w+$/),
    });
    expect(inWords(route.rpc, fresh[0]!['resource_type'])).toEqual(IN_WORDS);
    expect(fresh[0]!.before ?? fresh[0]!.after).toBeTruthy();
    expect(secretsIn(body).filter((secret) => JSON.stringify(fresh).includes(secret))).toEqual([]);
  });

  test('names no operation as unrecorded that is none', () => {
    const names = admin.map(nameOf);
    expect(Object.keys(UNRECORDED).filter((name) => !names.includes(name))).toEqual([]);
  });
});

const IN_WORDS = { en: [expect.any(String), expect.any(String)], es: [expect.any(String), expect.any(String)] };

/** The console's words for an operation and for a kind of resource, in each language. */
function inWords(rpc: DescMethod, resourceType: unknown) {
  const words = ({ audit }: Messages) => [
    (audit.operations as Record<string, Record<string, string>>)[rpc.parent.name]?.[rpc.name],
    (audit.kinds as Record<string, string>)[String(resourceType)],
  ];
  return { en: words(en), es: words(es) };
}

type Entry = { id: string; before: object | null; after: object | null } & Record<string, unknown>;

/** The entries of every client. */
function allEntries(): Promise<Entry[]> {
  return service.db.systemUnitOfWork((uow) => uow.query<Entry>('select * from audit_entry order by client_id, id'));
}

/** The same request with ids of missing resources, or else empty. */
function failingFields(route: Route, fields: Fields): Fields {
  const [variable] = /(?<=\{)\w+(?=\})/.exec(route.path) ?? [];
  if (variable === undefined) return {};
  const name = variable.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  return { ...fields, [name]: '01a1fe96-0000-7000-8000-000000000000' };
}

/** A campaign that the world's account has completed and not claimed. */
async function claimable({ account, audience, reward }: World, token: string): Promise<string> {
  const post = async (path: string, body: object = {}) => (await service.rest('POST', path, body, token)).body;
  await post('/admin/event-definitions', { programmaticCode: 'CLAIMABLE', type: 'SINGLE' });
  const mission = { type: 'MISSION', name: 'Come', programmaticCode: 'CLAIMABLE', target: 1 };
  const draft = { name: 'To claim', audienceIds: [audience], rewardIds: [reward], missions: [mission] };
  const { id } = await post('/admin/campaigns', { ...draft, claimPolicy: 'EXPLICIT' });
  await post(`/admin/campaigns/${id}/activate`);
  await post('/gamification/triggers', { programmaticCode: 'CLAIMABLE', accountId: account });
  return id;
}

/** A different resource than the world's, if that is in use or in another state than the operation needs. */
async function insteadOf(name: string, { adminToken, clientId }: Tenant, own: World): Promise<Fields> {
  const create = async (path: string, body: object) => {
    const { id } = (await service.rest('POST', path, body, adminToken)).body;
    return { id };
  };
  const mission = { type: 'MISSION', name: 'Come', programmaticCode: own.name, target: 1 };
  const draft = { name: 'A draft', audienceIds: [own.audience], rewardIds: [own.reward], missions: [mission] };
  const later = { ...mission, startsAt: new Date(Date.now() + 60_000).toISOString() };
  switch (name) {
    case 'AccountAdminService.resumeAccount':
      await service.rest('POST', `/admin/accounts/${own.account}/suspend`, { reason: 'Fraud?' }, adminToken);
      return {};
    case 'ImportAdminService.reverseImport': {
      const loaded = await create('/admin/imports', { type: 'EVENTS', fileName: 'events.csv' });
      await service.db.unitOfWork(clientId, (uow) =>
        uow.query(`update csv_import set status = 'DONE', finished_at = now() where id = $1`, [loaded.id]),
      );
      return loaded;
    }
    case 'AccountAdminService.claimForAccount':
      return { campaignId: await claimable(own, adminToken) };
    case 'AudienceAdminService.deleteAudience':
      return create('/admin/audiences', { name: 'Unused', kind: 'MANUAL' });
    case 'CampaignAdminService.activateCampaign':
    case 'CampaignAdminService.deleteCampaign':
      return create('/admin/campaigns', draft);
    case 'CampaignAdminService.updateCampaign':
      return { ...(await create('/admin/campaigns', draft)), campaign: { ...draft, name: 'Another draft' } };
    case 'MissionAdminService.updateMission':
      return {
        ...(await create('/admin/missions', { audienceId: own.audience, mission: later })),
        mission: { ...later, name: 'Go' },
      };
    case 'ConsoleUserAdminService.resetConsoleUserSecondFactor':
      await service.db.unitOfWork(clientId, (uow) => uow.query('update console_user set second_factor_at = now()'));
      return {};
    case 'WebhookAdminService.stopWebhookRetries':
      await newRetry(service, clientId);
      return {};
    case 'ChestAdminService.archiveChestDefinition':
      return create('/admin/chests', { name: 'Unused', entries: [{ rewardId: own.reward, weight: 1 }] });
    case 'EventDefinitionAdminService.deleteEventDefinition':
      return create('/admin/event-definitions', { programmaticCode: 'UNUSED', type: 'SINGLE' });
    case 'ProductAdminService.addProductStock':
    case 'ProductAdminService.withdrawProductStock':
      return create('/admin/products', { name: 'Counted', stockMode: 'COUNTED', stock: 5 });
    case 'ProductAdminService.archiveProduct':
      return create('/admin/products', { name: 'Unused', stockMode: 'UNLIMITED' });
    case 'PublicationAdminService.deletePublication':
      return create('/admin/publications', { productId: own.product, name: 'A draft' });
    case 'RewardAdminService.deliverPendingReward':
      // The state in the middle of a restock.
      await service.db.unitOfWork(clientId, (uow) =>
        uow.query('update product set stock = stock + 1, units_added = units_added + 1 where waiting > 0'),
      );
      return {};
    case 'RewardAdminService.archiveReward':
      return create('/admin/rewards', { name: 'Unused', type: 'POINTS', amount: 1 });
    default:
      return {};
  }
}

/** Values that are shown once. */
function secretsIn(body: Record<string, string> | undefined): string[] {
  return ['secret', 'password'].flatMap((key) => body?.[key] ?? []);
}

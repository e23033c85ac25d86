import { fromJson, type JsonValue, toJson } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../gen/routes.ts';
import type { Route } from '../../src/gateway/route.ts';
import { callByGrpcJs } from '../server/grpc-js.ts';
import type { TestService } from '../support/service.ts';
import { startContractService } from './support/contract-service.ts';
import { type Fields, nameOf, restRequest, samplesOf } from './support/requests.ts';
import { newWorld, tokenFor, type World } from './support/world.ts';

let service: TestService;
let world: World;

beforeAll(async () => {
  service = await startContractService();
  world = await newWorld(service, service, 'OURS');
});
afterAll(() => service.close());

/** A list of the caller's own sessions needs a session, which these callers do not have. */
const reads = routes.filter((route) => route.httpMethod === 'GET' && nameOf(route) !== 'SessionService.listSessions');

/** The content of the answer, by operation. */
const writes: Array<[string, object]> = [
  ['AccountTokenService.createAccountToken', { token: expect.any(String) }],
  ['AccountService.resolveAccount', { account: { id: expect.any(String) } }],
  ['AudienceService.assignAccounts', { audience: { kind: 'MANUAL' } }],
  ['ChestService.openChest', { opened: { rewards: [{ rewardType: 'POINTS', status: 'DELIVERED' }] } }],
  ['LoyaltyService.redeemProduct', { redemption: { source: 'LOYALTY', redeemables: [{}] } }],
  ['MarketplaceService.redeemPublication', { redemption: { source: 'MARKETPLACE', quantity: 1 } }],
  ['TriggerService.emitTrigger', { progressedMissions: [{ name: 'OURS', target: 1_000 }], rewards: [] }],
  ['WebhookService.putRewardsWebhook', { configuration: { method: 'POST' } }],
  ['AccountAdminService.grantReward', { reward: { rewardType: 'POINTS', status: 'DELIVERED' } }],
  ['ExpressionAdminService.checkExpression', { valid: true, type: 'BOOLEAN' }],
  ['LoyaltyAdminService.adjustPoints', { entry: { type: 'ADJUST', amount: 1 } }],
];

/** The bad request in place of the good one, and the gRPC status, by operation. */
const refusals: Array<[string, Fields, status]> = [
  ['CampaignService.claimCampaign', {}, status.FAILED_PRECONDITION],
  ['AccountService.getAccount', { id: 'nobody' }, status.INVALID_ARGUMENT],
  ['AccountService.getAccount', { id: crypto.randomUUID() }, status.NOT_FOUND],
  ['AccountService.createAccount', { externalId: 'ours-account' }, status.ALREADY_EXISTS],
  ['LoyaltyService.redeemProduct', { quantity: 0 }, status.INVALID_ARGUMENT],
  ['FeedService.getFeed', { filters: { filters: [{ field: 'name', value: 'x' }] } }, status.INVALID_ARGUMENT],
];

/** One call with grpc-js; the answer as JSON, with every field that REST shows. */
async function overGrpc({ rpc, path }: Route, fields: Fields, token = tokenOf(path)): Promise<JsonValue> {
  const request = fromJson(rpc.input, fields as JsonValue);
  const response = await callByGrpcJs(`127.0.0.1:${service.app.port}`, rpc, request, token);
  return toJson(rpc.output, response, { alwaysEmitImplicit: true });
}

const tokenOf = (path: string) => (path.startsWith('/admin/clients') ? service.serviceToken : tokenFor(service, path));

async function overRest(route: Route, fields: Fields): Promise<unknown> {
  const { method, path, body } = restRequest(route, fields);
  const answer = await service.rest(method, path, body, tokenOf(path));
  expect(answer.status).toBe(200);
  return answer.body;
}

/** Keys that REST leaves out if their list is empty. */
const OMITTED_EMPTY: readonly string[] = ['attributes', 'levels', 'milestones'];

/** The last use of a credential may change between the two calls, and the estimated end of a stock depends on the present time. */
function withoutUse(answer: JsonValue): JsonValue {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => {
      const isEmpty = Array.isArray(value) && value.length === 0;
      return ['lastUsedAt', 'until'].includes(key) || (isEmpty && OMITTED_EMPTY.includes(key)) ? undefined : value;
    }),
  ) as JsonValue;
}

describe('reading', () => {
  test.each(reads.map((route) => [nameOf(route), route] as const))(
    '%s answers the same over gRPC and REST',
    async (_name, route) => {
      for (const sample of samplesOf(route)) {
        const fields = sample(world);
        const response = (await overGrpc(route, fields)) as Record<string, JsonValue>;
        const bodyField = route.rpc.output.fields.find((field) => field.name === route.responseBody);
        const answered = (bodyField ? response[bodyField.jsonName] : response) as JsonValue;
        expect(withoutUse(answered)).toEqual(withoutUse(withoutNulls(await overRest(route, fields)) as JsonValue));
      }
    },
  );
});

describe('writing', () => {
  const route = (name: string) => routes.find((each) => nameOf(each) === name) ?? expect.unreachable(name);

  test.each(writes)('%s works over gRPC', async (name, expected) => {
    const [sample] = samplesOf(route(name));
    expect(await overGrpc(route(name), sample!(world))).toMatchObject(expected);
  });

  test.each(refusals)('%s refuses over gRPC: %j', async (name, more, code) => {
    const [sample] = samplesOf(route(name));
    const refused = overGrpc(route(name), { ...sample!(world), ...more });
    await expect(refused).rejects.toMatchObject({ code });
  });
});

test('no service is left out', () => {
  const called = [...reads.map(nameOf), ...writes.map(([name]) => name), ...refusals.map(([name]) => name)];
  const services = new Set(routes.map(({ rpc }) => rpc.parent.name));
  expect(new Set(called.map((name) => name.split('.')[0]))).toEqual(services);
});

/** REST writes `null` for a field that gRPC leaves unset. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === null ? [] : [[key, withoutNulls(each)]])),
  );
}

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../gen/routes.ts';
import type { Route } from '../../src/gateway/route.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { type Call, overConnect, overGrpc, overGrpcJson, overGrpcWeb, overRest } from './support/refusal-callers.ts';
import { type Fields, nameOf, samplesOf } from './support/requests.ts';
import { newWorld, tokenFor, type World } from './support/world.ts';

let service: TestService;
let world: World;

beforeAll(async () => {
  service = await sharedService();
  world = await newWorld(service, service, 'WORLD');
});
afterAll(() => service.close());

const routeOf = (name: string): Route => routes.find((route) => nameOf(route) === name) ?? expect.unreachable(name);
const callers = { rest: overRest, connect: overConnect, grpc: overGrpc, grpcJson: overGrpcJson, grpcWeb: overGrpcWeb };
const page = { page: 1, limit: 10 };
const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);
const filter = (field: string, value?: unknown) => ({ filters: { filters: [{ field, value }] } });
const trigger = (more: object) => ({ trigger: { programmaticCode: 'WORLD', accountId: world.account, ...more } });

/** The contract's own code, over REST only. */
const FILTER_CODE = 'INTERNAL_SERVER_ERROR';

/** Fields in addition to those of the operation's good request. */
type Fault = () => Fields;

/** Operation, fault of the call, the reason of every protocol, and REST's if the contract has a separate one. */
const table: Array<[operation: string, fault: string, Fault, reason: string, rest?: string]> = [
  ['AccountService.getAccount', 'a malformed id', () => ({ id: 'nobody' }), 'BAD_REQUEST'],
  ['AccountService.getAccount', 'an unknown id', () => ({ id: randomUUID() }), 'ACCOUNT_NOT_FOUND'],
  ['AccountService.getAccount', 'an unknown idType', () => ({ idType: 'MINE' }), 'BAD_REQUEST'],
  ['AccountService.getAccount', 'an unknown field', () => ({ colour: 'red' }), 'BAD_REQUEST'],
  ['AccountService.resolveAccount', 'an empty external id', () => ({ externalId: '' }), 'BAD_REQUEST'],
  ['AccountService.resolveAccount', 'a NUL', () => ({ externalId: 'a\0b' }), 'BAD_REQUEST'],
  ['AccountService.resolveAccount', '256 characters', () => ({ externalId: 'x'.repeat(256) }), 'BAD_REQUEST'],
  ['AccountService.resolveAccount', 'a number for a text', () => ({ externalId: 7 }), 'BAD_REQUEST'],
  ['AccountService.resolveAccount', 'an array for a text', () => ({ externalId: ['a'] }), 'BAD_REQUEST'],
  ['AccountService.resolveAccount', 'half a surrogate pair', () => ({ externalId: '\ud800' }), 'BAD_REQUEST'],
  ['AccountService.resolveAccount', 'a field of 2,000 characters', () => ({ ['x'.repeat(2_000)]: 1 }), 'BAD_REQUEST'],
  [
    'AccountService.createAccount',
    'a taken external id',
    () => ({ externalId: world.externalId }),
    'ACCOUNT_ALREADY_EXISTS',
  ],
  ['AccountService.createAccount', 'an unknown time zone', () => ({ timeZone: 'Europe/Nowhere' }), 'BAD_REQUEST'],
  ['AccountService.createAccount', 'a body beyond 1 MiB', () => ({ name: 'x'.repeat(1_100_000) }), 'PAYLOAD_TOO_LARGE'],
  ['AccountService.updateAccount', 'an unknown field inside', () => ({ account: { colour: 'red' } }), 'BAD_REQUEST'],
  ['AccountService.updateAccount', 'a mask of what cannot change', () => ({ updateMask: 'createdAt' }), 'BAD_REQUEST'],
  ['AccountService.updateAccount', 'a mask that is none', () => ({ updateMask: 'a_b' }), 'BAD_REQUEST'],
  ['AccountService.listAccounts', 'no page', () => ({ page: undefined }), 'BAD_REQUEST'],
  ['AccountService.listAccounts', 'page 0', () => ({ page: 0 }), 'BAD_REQUEST'],
  ['AccountService.listAccounts', 'a limit of 1001', () => ({ limit: 1001 }), 'BAD_REQUEST'],
  ['AccountService.listAccounts', 'a limit that is no number', () => ({ limit: 'many' }), 'BAD_REQUEST'],
  ['AccountService.listAccounts', 'a limit of 1.5', () => ({ limit: 1.5 }), 'BAD_REQUEST'],
  ['AccountService.listAccounts', 'a field that cannot be filtered', () => filter('colour', 'red'), 'BAD_REQUEST'],
  ['AccountService.listAccounts', 'a condition without value', () => filter('name'), 'BAD_REQUEST'],
  ['AccountService.listAccounts', 'a condition without field', () => filter('', 'x'), 'BAD_REQUEST'],
  ['AccountService.listAccounts', 'an id that is none', () => filter('id', 'x'), 'BAD_REQUEST'],
  ['AccountService.listAccounts', '1,001 values', () => filter('name', many(1_001, 'x')), 'BAD_REQUEST'],
  [
    'AccountService.listAccounts',
    '51 conditions',
    () => ({ filters: { filters: many(51, { field: 'name', value: 'x' }) } }),
    'BAD_REQUEST',
  ],
  ['AccountService.listAccounts', 'filters that are no array', () => ({ filters: { filters: 'x' } }), 'BAD_REQUEST'],
  ['AccountService.listAccounts', 'an unknown key in filters', () => ({ filters: { colour: 1 } }), 'BAD_REQUEST'],
  ['FeedService.getFeed', 'a field that cannot be filtered', () => filter('name', 'x'), 'BAD_REQUEST', FILTER_CODE],
  ['FeedService.getFeed', 'a status that is none', () => filter('status', 'active'), 'BAD_REQUEST', FILTER_CODE],
  [
    'FeedService.getFeed',
    '51 conditions',
    () => ({ filters: { filters: many(51, { field: 'status', value: 'ACTIVE' }) } }),
    'BAD_REQUEST',
    FILTER_CODE,
  ],
  [
    'FeedService.getFeed',
    'filters that are no array',
    () => ({ filters: { filters: 'x' } }),
    'BAD_REQUEST',
    FILTER_CODE,
  ],
  ['FeedService.getFeed', 'a malformed id', () => ({ accountId: 'ada' }), 'BAD_REQUEST'],
  [
    'FeedService.listEarnedRewards',
    'a type that is none',
    () => filter('rewardType', 'GOLD'),
    'BAD_REQUEST',
    FILTER_CODE,
  ],
  ['TriggerService.emitTrigger', 'no accountId', () => trigger({ accountId: undefined }), 'BAD_REQUEST'],
  [
    'TriggerService.emitTrigger',
    'an unknown code',
    () => trigger({ programmaticCode: 'NOPE' }),
    'EVENT_DEFINITION_NOT_FOUND',
  ],
  ['TriggerService.emitTrigger', 'an unknown account', () => trigger({ accountId: randomUUID() }), 'ACCOUNT_NOT_FOUND'],
  ['TriggerService.emitTrigger', 'metadata that is no object', () => trigger({ metadata: 7 }), 'BAD_REQUEST'],
  [
    'TriggerService.emitTrigger',
    'a SINGLE event with an amount',
    () => trigger({ metadata: { amount: 1 } }),
    'BAD_REQUEST',
  ],
  ['TriggerService.emitTrigger', 'a moment that is none', () => trigger({ occurredAt: 'yesterday' }), 'BAD_REQUEST'],
  [
    'TriggerService.emitTrigger',
    'a moment to come',
    () => trigger({ occurredAt: '2999-01-01T00:00:00Z' }),
    'BAD_REQUEST',
  ],
  ['TriggerService.emitTrigger', 'an unknown field inside', () => trigger({ colour: 'red' }), 'BAD_REQUEST'],
  ['TriggerService.emitTrigger', 'nothing', () => ({ trigger: undefined }), 'BAD_REQUEST'],
  [
    'TriggerService.emitTriggerAsync',
    'an unknown code',
    () => trigger({ programmaticCode: 'NOPE' }),
    'EVENT_DEFINITION_NOT_FOUND',
  ],
  [
    'TriggerService.emitTriggerBatch',
    '1,001 events',
    () => ({ triggers: many(1_001, trigger({}).trigger) }),
    'BAD_REQUEST',
  ],
  ['TriggerService.emitTriggerBatch', 'no events', () => ({ triggers: [] }), 'BAD_REQUEST'],
  ['AudienceService.assignAccounts', 'an id that is none', () => ({ accountIds: ['ada'] }), 'BAD_REQUEST'],
  ['AudienceService.assignAccounts', 'an unknown audience', () => ({ audienceId: randomUUID() }), 'AUDIENCE_NOT_FOUND'],
  ['LoyaltyService.redeemProduct', 'a quantity of 0', () => ({ quantity: 0 }), 'BAD_REQUEST'],
  ['LoyaltyService.redeemProduct', 'half a unit', () => ({ quantity: 1.5 }), 'BAD_REQUEST'],
  ['LoyaltyService.redeemProduct', 'an unknown product', () => ({ id: randomUUID() }), 'PRODUCT_NOT_FOUND'],
  ['MarketplaceService.freezePublication', 'no time', () => ({ ttlSeconds: 0 }), 'BAD_REQUEST'],
  ['MarketplaceService.freezePublication', '1,001 units', () => ({ quantity: 1_001 }), 'BAD_REQUEST'],
  ['WebhookService.putRewardsWebhook', 'no settings', () => ({ settings: undefined }), 'BAD_REQUEST'],
  [
    'WebhookService.putRewardsWebhook',
    'an endpoint that is none',
    () => ({ settings: { endpoint: 'x' } }),
    'BAD_REQUEST',
  ],
  [
    'WebhookService.putRewardsWebhook',
    'a method that is none',
    () => ({ settings: { endpoint: 'http://a.example/', method: 'GET' } }),
    'BAD_REQUEST',
  ],
  ['LoyaltyAdminService.adjustPoints', 'a fifth decimal', () => ({ amount: 1.00001 }), 'BAD_REQUEST'],
  ['LoyaltyAdminService.adjustPoints', 'an amount that is no number', () => ({ amount: 'much' }), 'BAD_REQUEST'],
  ['ProductAdminService.createProduct', 'a stock mode that is none', () => ({ stockMode: 'PILES' }), 'BAD_REQUEST'],
];

/** The caller, and the reason of the refusal. */
const strangers: Array<[string, string, () => string | undefined, string]> = [
  ['AccountService.listAccounts', 'no credential', () => undefined, 'UNAUTHENTICATED'],
  ['AccountService.listAccounts', 'a credential that is none', () => 'lrl_key_x', 'UNAUTHENTICATED'],
  ['ProductAdminService.listProducts', 'a credential of a lower role', () => service.apiKey, 'FORBIDDEN'],
];

async function reasonsOf(call: Call) {
  const reasons = Object.entries(callers).map(async ([name, ask]) => {
    const refusal = await ask(service, call);
    return [name, refusal?.reason ?? 'NOT REFUSED'] as const;
  });
  return Object.fromEntries(await Promise.all(reasons));
}

const goodFields = (route: Route) => samplesOf(route)[0]!(world);

describe('a call is refused for the same reason over REST, Connect, gRPC and gRPC-Web', () => {
  test.each(table)('%s with %s', async (operation, _fault, fault, reason, rest = reason) => {
    const route = routeOf(operation);
    const token = tokenFor(service, route.path);
    const reasons = await reasonsOf({ route, token, fields: { ...goodFields(route), ...fault() } });
    expect(reasons).toEqual({ rest, connect: reason, grpc: reason, grpcJson: reason, grpcWeb: reason });
  });

  test.each(strangers)('%s by %s', async (operation, _fault, tokenOf, reason) => {
    const route = routeOf(operation);
    const call = { route, token: tokenOf(), fields: { ...goodFields(route), ...page } };
    const { rest: _, ...others } = await reasonsOf(call);
    const headers: Record<string, string> = call.token === undefined ? {} : { authorization: `Bearer ${call.token}` };
    const answer = await fetch(`${service.baseUrl}${route.path}?page=1&limit=10`, { headers });
    expect((await answer.json()).code).toBe(reason);
    expect(others).toEqual({ connect: reason, grpc: reason, grpcJson: reason, grpcWeb: reason });
  });

  test('a compression that is not known', async () => {
    const route = routeOf('AccountService.createAccount');
    const token = service.apiKey;
    const answer = await fetch(`${service.baseUrl}/accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-encoding': 'snappy' },
      body: '{}',
    });
    const reason = 'UNSUPPORTED_MEDIA_TYPE';
    expect((await answer.json()).code).toBe(reason);
    const { rest: _, ...others } = await reasonsOf({ route, token, fields: {}, encoding: 'snappy' });
    expect(others).toEqual({ connect: reason, grpc: reason, grpcJson: reason, grpcWeb: reason });
  });

  test('an operation that does not exist', async () => {
    const known = routeOf('AccountService.createAccount');
    const rpc = { ...known.rpc, name: 'CreateNothing' } as Route['rpc'];
    const call = { route: { ...known, rpc, path: '/nothing' }, token: service.apiKey, fields: {} };
    for (const ask of [overRest, overGrpc, overGrpcJson, overGrpcWeb]) {
      expect(await ask(service, call)).toMatchObject({ reason: 'NOT_FOUND' });
    }
  });
});

test('a body that is too large holds up no later call on its connection', async () => {
  const route = routeOf('AccountService.createAccount');
  const token = service.apiKey;
  for (const ask of [overConnect, overGrpcWeb]) {
    const large = { route, token, fields: { name: 'x'.repeat(1_100_000) } };
    expect(await ask(service, large)).toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' });
    for (let call = 0; call < 4; call++) expect(await ask(service, { route, token, fields: {} })).toBeUndefined();
  }
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getOption, hasOption } from '@bufbuild/protobuf';
import { account_token, AccountTokenUse_Permission, Permission } from '../../gen/laurel/auth/v1/options_pb.ts';
import { routes } from '../../gen/routes.ts';
import { newToken } from '../../src/clients/credentials/token.ts';
import type { Route } from '../../src/gateway/route.ts';
import { requiredPermissions } from '../../src/server/rpc/required-permission.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { type Caller, grpcCaller, restCaller } from './support/callers.ts';
import { isAllowed, type Role, ROLES, tokensOf } from './support/held-permissions.ts';
import { hasSample, nameOf, samplesOf } from './support/requests.ts';
import { newWorld, type World } from './support/world.ts';

const needs = requiredPermissions();
const cases = routes.filter(hasSample).map((route) => [nameOf(route), route] as const);

/** The operations that need no credential; a new one needs a decision, so that a mistake in its proto is noticed. */
const PUBLIC = [
  'SessionService.listSignInMethods',
  'SessionService.refreshSession',
  'SessionService.signIn',
  'SessionService.signOut',
];

let service: TestService;
let world: World;
let tokens: ReadonlyMap<Role, string>;
const callers: Caller[] = [];

beforeAll(async () => {
  service = await sharedService();
  world = await newWorld(service, service, 'ROLES');
  callers.push(restCaller(service), grpcCaller(service));
  tokens = await tokensOf(service);
}, 60_000);
afterAll(async () => {
  for (const caller of callers) caller.close();
  await service.close();
});

const PERMISSIONS = ['READ', 'CLAIM', 'OPEN', 'REDEEM', 'EMIT'] as const;

/** The permission that an account token needs for an operation; undefined if none may call it. */
function tokenPermission({ rpc }: Route): string | undefined {
  const use = hasOption(rpc, account_token) ? getOption(rpc, account_token) : undefined;
  return PERMISSIONS.find((name) => AccountTokenUse_Permission[name] === use?.permission);
}

test('every operation is refused to an account token without its permission, or for another account', async () => {
  // A world of which nothing is deleted.
  const tenant = await service.newTenant();
  const own = await newWorld(service, tenant, 'TOKENS');
  const issue = async (accountId: string, permissions: readonly string[]) => {
    const eventCodes = permissions.includes('EMIT') ? [own.name] : [];
    const answer = await service.rest(
      'POST',
      '/v1/account-tokens',
      { accountId, permissions, eventCodes },
      tenant.apiKey,
    );
    return answer.body.token as string;
  };
  const byPermission = await Promise.all(
    PERMISSIONS.map(async (name) => [name, await issue(own.account, [name])] as const),
  );
  const ofGuest = await issue(own.guest, PERMISSIONS);
  const tokenCases = cases.filter(([name]) => !PUBLIC.includes(name));
  const allowed: string[] = [];
  for (const [name, route] of tokenCases) {
    const needed = tokenPermission(route);
    const fields = samplesOf(route)[0]?.(own) ?? {};
    if (needed !== undefined) allowed.push(name);
    for (const caller of callers) {
      for (const [permission, token] of byPermission) {
        const { status, body } = await caller.call(route, fields, token);
        const what = `${name} ${caller.protocol} ${permission}: ${status} ${body?.code} ${body?.message}`;
        expect(status === 403 && body?.code === 'FORBIDDEN', what).toBe(needed !== permission);
        expect([401, 500], what).not.toContain(status);
        // Nobody learns the ids of others.
        expect(JSON.stringify(body ?? ''), what).not.toContain(own.guest);
        expect(JSON.stringify(body ?? ''), what).not.toContain(`${own.externalId}-guest`);
      }
      if (needed === undefined || getOption(route.rpc, account_token).field === '') continue;
      const { status, body } = await caller.call(route, fields, ofGuest);
      expect([status, body?.code], `${name} ${caller.protocol}`).toEqual([403, 'TOKEN_OF_ANOTHER_ACCOUNT']);
    }
  }
  // A new one needs a decision, so that a mistake in its proto is noticed.
  expect(allowed).toMatchSnapshot();
}, 60_000);

/** The answers of both protocols to a valid request. */
function answers(route: Route, token: string | undefined) {
  const [sample] = samplesOf(route);
  return Promise.all(callers.map((caller) => caller.call(route, sample?.(world) ?? {}, token)));
}

test('only signing in is for everybody', () => {
  const open = routes.filter(({ rpc }) => needs(rpc) === Permission.ANYONE).map(nameOf);
  expect([...new Set(open)].toSorted()).toEqual(PUBLIC);
});

describe.each(cases.filter(([name]) => !PUBLIC.includes(name)))('%s', (_name, route) => {
  test('is refused without a credential, and with one that was never issued', async () => {
    for (const token of [undefined, 'hello', newToken('API_KEY', service.clientId)]) {
      for (const { status, body } of await answers(route, token)) {
        expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
      }
    }
  });

  // Callers without the permission are first, because a permitted call may delete the resource of the request.
  test.each(ROLES.toSorted((a, b) => Number(isAllowed(a, route.rpc)) - Number(isAllowed(b, route.rpc))))(
    'is answered to %s as its permission says',
    async (role) => {
      for (const { status, body } of await answers(route, tokens.get(role))) {
        const refused = status === 403 && body?.code === 'FORBIDDEN';
        expect(refused, `${status} ${body?.code}: ${body?.message}`).toBe(!isAllowed(role, route.rpc));
        expect([401, 500]).not.toContain(status);
      }
    },
  );
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Permission } from '../../gen/laurel/auth/v1/options_pb.ts';
import { routes } from '../../gen/routes.ts';
import { newToken } from '../../src/clients/credentials/token.ts';
import type { Route } from '../../src/gateway/route.ts';
import { requiredPermissions } from '../../src/server/rpc/required-permission.ts';
import { settledUser } from '../operations/clients/console.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Caller, grpcCaller, restCaller } from './callers.ts';
import { hasSample, nameOf, samplesOf } from './requests.ts';
import { newWorld, type World } from './world.ts';

const needs = requiredPermissions();
const cases = routes.filter(hasSample).map((route) => [nameOf(route), route] as const);

/** What anyone may call; a new operation gets in here by a decision, not by a slip in its proto. */
const PUBLIC = [
  'SessionService.listSignInMethods',
  'SessionService.refreshSession',
  'SessionService.signIn',
  'SessionService.signOut',
];

const ROLES = [
  ...(['an API key', 'VIEWER', 'SUPPORT', 'MARKETER', 'CLIENT_ADMIN', 'SERVICE_ADMIN'] as const),
  ...(['token CLIENT_ADMIN', 'token SERVICE_ADMIN'] as const),
];

/** Which roles hold a permission, in the order of `ROLES`, written down here once more: the service is held against this. */
const HELD_BY: Readonly<Record<keyof typeof Permission, string>> = {
  //                       key viewer support marketer client service
  PERMISSION_UNSPECIFIED: '- - - - - yes',
  ANYONE: 'yes yes yes yes yes yes',
  OWN_SESSION: '- yes yes yes yes yes',
  READ_ACCOUNTS: 'yes yes yes yes yes yes',
  ACT_FOR_ACCOUNTS: 'yes - yes - yes yes',
  SEND_EVENTS: 'yes - - - yes yes',
  ASSIGN_AUDIENCES: 'yes - yes yes yes yes',
  PUBLISH: 'yes - - yes yes yes',
  READ_CLIENT: '- yes yes yes yes yes',
  SUPPORT_ACCOUNTS: '- - yes - yes yes',
  REVEAL_CODES: '- - yes - yes yes',
  RESEND: '- - yes - yes yes',
  KEEP_CAMPAIGNS: '- - - yes yes yes',
  KEEP_REWARDS: '- - - yes yes yes',
  KEEP_AUDIENCES: '- - - yes yes yes',
  IMPORT: '- - - yes yes yes',
  EXPORT: '- - - - yes yes',
  KEEP_WEBHOOKS: '- - - - yes yes',
  KEEP_CREDENTIALS: '- - - - yes yes',
  KEEP_USERS: '- - - - yes yes',
  KEEP_CLIENT: '- - - - yes yes',
  ADMINISTER_SERVICE: '- - - - - yes',
  ACT_FOR_ANY_CLIENT: '- - - - - yes',
};

let service: TestService;
let world: World;
let tokens: ReadonlyMap<(typeof ROLES)[number], string>;
const callers: Caller[] = [];

beforeAll(async () => {
  service = await startService({ trustForwarded: true });
  world = await newWorld(service, service, 'ROLES');
  callers.push(restCaller(service), grpcCaller(service));
  const people = [];
  for (const role of ['VIEWER', 'SUPPORT', 'MARKETER', 'CLIENT_ADMIN', 'SERVICE_ADMIN'] as const) {
    const { answer } = await settledUser(service, service.serviceToken, role);
    people.push([role, answer.body.accessToken as string] as const);
  }
  tokens = new Map([
    ['an API key', service.apiKey],
    ...people,
    ['token CLIENT_ADMIN', service.adminToken],
    ['token SERVICE_ADMIN', service.serviceToken],
  ]);
}, 60_000);
afterAll(async () => {
  for (const caller of callers) caller.close();
  await service.close();
});

/** The answers over both protocols to a valid request. */
function answers(route: Route, token: string | undefined) {
  const [sample] = samplesOf(route);
  return Promise.all(callers.map((caller) => caller.call(route, sample?.(world) ?? {}, token)));
}

/** The name of the permission that an operation needs. */
function needed({ rpc }: Route): keyof typeof Permission {
  const [name] = Object.entries(Permission).find(([, number]) => number === needs(rpc))!;
  return name as keyof typeof Permission;
}

function isAllowed(role: (typeof ROLES)[number], permission: keyof typeof Permission): boolean {
  const row = HELD_BY[permission].split(' ');
  return row[ROLES.indexOf(role.replace('token ', '') as typeof role)] === 'yes';
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

  // Who may not is tried first: what the others do may end what the request is about.
  test.each(ROLES.toSorted((a, b) => Number(isAllowed(a, needed(route))) - Number(isAllowed(b, needed(route)))))(
    'is answered to %s as its permission says',
    async (role) => {
      for (const { status, body } of await answers(route, tokens.get(role))) {
        const refused = status === 403 && body?.code === 'FORBIDDEN';
        expect(refused, `${status} ${body?.code}: ${body?.message}`).toBe(!isAllowed(role, needed(route)));
        expect([401, 500]).not.toContain(status);
      }
    },
  );
});

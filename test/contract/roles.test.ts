import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Role } from '../../gen/laurel/auth/v1/options_pb.ts';
import { routes } from '../../gen/routes.ts';
import { newToken } from '../../src/clients/credentials/token.ts';
import type { Route } from '../../src/gateway/route.ts';
import { requiredRoles } from '../../src/server/rpc/required-role.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Caller, grpcCaller, restCaller } from './callers.ts';
import { hasSample, nameOf, samplesOf } from './requests.ts';
import { newWorld, type World } from './world.ts';

const roleOf = requiredRoles(new Map());
const cases = routes.filter(hasSample).map((route) => [nameOf(route), route] as const);

/** What anyone may call; a new operation gets in here by a decision, not by a slip in its proto. */
const PUBLIC = [
  'SessionService.listSignInMethods',
  'SessionService.refreshSession',
  'SessionService.signIn',
  'SessionService.signOut',
];

let service: TestService;
let world: World;
const callers: Caller[] = [];

beforeAll(async () => {
  service = await startService();
  world = await newWorld(service, service, 'ROLES');
  callers.push(restCaller(service), grpcCaller(service));
});
afterAll(async () => {
  for (const caller of callers) caller.close();
  await service.close();
});

/** The answers over both protocols to a valid request. */
function answers(route: Route, token: string | undefined) {
  const [sample] = samplesOf(route);
  return Promise.all(callers.map((caller) => caller.call(route, sample?.(world) ?? {}, token)));
}

/** A credential of each role, the lowest first. */
function tokens(): { role: Role; token: string }[] {
  return [
    { role: Role.INTEGRATOR, token: service.apiKey },
    { role: Role.CLIENT_ADMIN, token: service.adminToken },
    { role: Role.SERVICE_ADMIN, token: service.serviceToken },
  ];
}

test('only signing in is for everybody', () => {
  const open = routes.filter(({ rpc }) => roleOf(rpc) === Role.PUBLIC).map(nameOf);
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

  test('is refused to every lower role, and answered to the lowest that may', async () => {
    for (const { role, token } of tokens()) {
      for (const { status, body } of await answers(route, token)) {
        if (role < roleOf(route.rpc)) expect({ status, code: body.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
        else expect(isRefusal(status, body?.code), `role ${role}: ${status} ${body?.code}`).toBe(false);
      }
      if (role >= roleOf(route.rpc)) return;
    }
  });
});

/** An operation may have a reason of its own to say 403, such as a wrong password, under a code of its own. */
function isRefusal(status: number, code: string | undefined): boolean {
  return status === 401 || (status === 403 && code === 'FORBIDDEN') || status === 500;
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConsoleUserAdminService } from '../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { CredentialAdminService } from '../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import { routes } from '../../gen/routes.ts';
import { type Caller, grpcCaller, restCaller } from '../contract/support/callers.ts';
import { settledUser } from '../operations/clients/console.ts';
import { ok } from '../support/administration.ts';
import { startService, type TestService } from '../support/service.ts';

type CredentialRole = 'INTEGRATOR' | 'CLIENT_ADMIN' | 'SERVICE_ADMIN';
type TargetRole = CredentialRole | 'VIEWER' | 'SUPPORT' | 'MARKETER';

/** One way to use an operation on a resource with a role, or to create one with a role. */
type Use = {
  readonly target: TargetRole;
  /** Whether the caller needs the permissions of the target; a read does not. */
  readonly acts: boolean;
  readonly fields: (target: { readonly id: string }, unique: string) => Readonly<Record<string, unknown>>;
};

const page = { page: 1, limit: 10 };
const admins = ['CLIENT_ADMIN', 'SERVICE_ADMIN'] as const;
const everyRole = ['INTEGRATOR', ...admins] as const;
const people = ['VIEWER', 'SUPPORT', 'MARKETER', ...admins] as const;
const byId = ({ id }: { id: string }) => ({ id });
const on = (roles: readonly TargetRole[], acts: boolean, fields: Use['fields']): Use[] =>
  roles.map((target) => ({ target, acts, fields }));
const change = (user: object) => (target: { id: string }) => ({ id: target.id, user: { version: 1, ...user } });

/** By service and operation. An operation that is missing here fails the first test. */
const TABLE: Readonly<Record<string, readonly Use[]>> = {
  'CredentialAdminService.createCredential': [
    { target: 'INTEGRATOR', acts: true, fields: (_, name) => ({ kind: 'API_KEY', name }) },
    ...admins.map((role) => ({
      target: role,
      acts: true,
      fields: (_: unknown, name: string) => ({ kind: 'ACCESS_TOKEN', name, role }),
    })),
  ],
  'CredentialAdminService.listCredentials': on(everyRole, false, () => page),
  'CredentialAdminService.revokeCredential': on(everyRole, true, byId),
  'ConsoleUserAdminService.createConsoleUser': people.map((role) => ({
    target: role,
    acts: true,
    fields: (_: unknown, unique: string) => ({ email: `${unique}@example.com`, name: 'New', role }),
  })),
  'ConsoleUserAdminService.getConsoleUser': on(people, false, byId),
  'ConsoleUserAdminService.listConsoleUsers': on(people, false, () => page),
  'ConsoleUserAdminService.updateConsoleUser': [
    ...on(people, true, change({ name: 'Another' })),
    ...on(people, true, change({ disabled: true })),
    ...on(['SERVICE_ADMIN'], true, change({ role: 'CLIENT_ADMIN' })),
    ...on(['CLIENT_ADMIN', 'VIEWER'], true, change({ role: 'CLIENT_ADMIN' })),
    ...on(['CLIENT_ADMIN'], true, change({ role: 'SUPPORT' })),
  ],
  'ConsoleUserAdminService.resetConsoleUserPassword': on(people, true, byId),
  'ConsoleUserAdminService.resetConsoleUserSecondFactor': on(people, true, byId),
  'ConsoleUserAdminService.listConsoleUserSessions': on(people, false, byId),
  'ConsoleUserAdminService.endConsoleUserSessions': on(people, true, byId),
};

/** The roles that a caller of each role may act on, repeated here: the code is compared with this table. */
const MAY_ACT_ON: Readonly<Record<string, readonly TargetRole[]>> = {
  INTEGRATOR: [],
  VIEWER: [],
  SUPPORT: [],
  MARKETER: [],
  CLIENT_ADMIN: ['INTEGRATOR', 'VIEWER', 'SUPPORT', 'MARKETER', 'CLIENT_ADMIN'],
  SERVICE_ADMIN: [...people, 'INTEGRATOR'],
};

/** Whether a role may use the two services. */
const administers = (role: string) => role === 'CLIENT_ADMIN' || role === 'SERVICE_ADMIN';

/** The callers, for the titles. */
const CALLERS = [
  'an API key',
  'a person who is VIEWER',
  'a person who is SUPPORT',
  'a person who is MARKETER',
  'an access token CLIENT_ADMIN',
  'a person who is CLIENT_ADMIN',
  'an access token SERVICE_ADMIN',
  'a person who is SERVICE_ADMIN',
  'a SERVICE_ADMIN of another client',
] as const;

let service: TestService;
let protocols: Caller[];
let callers: Record<
  (typeof CALLERS)[number],
  { readonly role: string; readonly token: string; readonly clientId?: string }
>;

beforeAll(async () => {
  service = await startService({ trustForwarded: true });
  const other = await service.newTenant();
  const root = await rootOf(other.clientId);
  const tokenOf = async (role: string) =>
    (await settledUser(service, service.serviceToken, role)).answer.body.accessToken as string;
  callers = {
    'an API key': { role: 'INTEGRATOR', token: service.apiKey },
    'an access token CLIENT_ADMIN': { role: 'CLIENT_ADMIN', token: service.adminToken },
    'a person who is VIEWER': { role: 'VIEWER', token: await tokenOf('VIEWER') },
    'a person who is SUPPORT': { role: 'SUPPORT', token: await tokenOf('SUPPORT') },
    'a person who is MARKETER': { role: 'MARKETER', token: await tokenOf('MARKETER') },
    'a person who is CLIENT_ADMIN': { role: 'CLIENT_ADMIN', token: await tokenOf('CLIENT_ADMIN') },
    'an access token SERVICE_ADMIN': { role: 'SERVICE_ADMIN', token: service.serviceToken },
    'a person who is SERVICE_ADMIN': { role: 'SERVICE_ADMIN', token: await tokenOf('SERVICE_ADMIN') },
    'a SERVICE_ADMIN of another client': { role: 'SERVICE_ADMIN', token: root, clientId: service.clientId },
  };
  protocols = [restCaller(service), grpcCaller(service)];
}, 60_000);
afterAll(async () => {
  for (const protocol of protocols ?? []) protocol.close();
  await service?.close();
});

/** A service administrator's token of another client, created by one who acts for that client. */
async function rootOf(clientId: string): Promise<string> {
  const response = await fetch(`${service.baseUrl}/admin/credentials`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.serviceToken}`,
      'content-type': 'application/json',
      'laurel-client-id': clientId,
    },
    body: JSON.stringify({ kind: 'ACCESS_TOKEN', role: 'SERVICE_ADMIN', name: 'Root' }),
  });
  return ((await response.json()) as { secret: string }).secret;
}

let count = 0;
const unique = () => `p${(count += 1)}`;

/** A new resource for an operation of `serviceName`. */
async function newTarget(serviceName: string, role: TargetRole): Promise<{ id: string }> {
  if (serviceName === 'ConsoleUserAdminService') {
    const user = { email: `${unique()}@example.com`, name: 'Target', role };
    const made = (await ok(service.rest('POST', '/admin/users', user, service.serviceToken))).user;
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('update console_user set second_factor_at = now() where id = $1', [made.id]),
    );
    return made;
  }
  const credential = role === 'INTEGRATOR' ? { kind: 'API_KEY' } : { kind: 'ACCESS_TOKEN', role };
  const made = service.rest('POST', '/admin/credentials', { ...credential, name: unique() }, service.serviceToken);
  return (await ok(made)).credential;
}

/** All data of the client in the two services. */
function stored() {
  return service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(`select id, role, revoked_at, null as disabled_at, 1 as version, '' as hash from credential
      union all select id, role, null, disabled_at, version, password_hash from console_user order by id`),
  );
}

const methods = [...CredentialAdminService.methods, ...ConsoleUserAdminService.methods];
const nameOf = ({ parent, name }: (typeof methods)[number]) =>
  `${parent.name}.${name.charAt(0).toLowerCase()}${name.slice(1)}`;

test('every operation on credentials and users is in the table', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(methods.map(nameOf).toSorted());
});

describe.each(methods.map((method) => [nameOf(method), method] as const))('%s', (name, method) => {
  const route = routes.find(({ rpc }) => rpc === method)!;

  test.each(CALLERS)(
    'by %s touches only who may do no more than the caller',
    async (words) => {
      const { role, token, clientId } = callers[words];
      for (const use of TABLE[name] ?? expect.unreachable('not in the table')) {
        for (const protocol of protocols) {
          const target = await newTarget(method.parent.name, use.target);
          const before = await stored();
          const headers: Record<string, string> = clientId === undefined ? {} : { 'laurel-client-id': clientId };
          const answer = await protocol.call(route, use.fields(target, unique()), token, headers);
          const may = administers(role) && (!use.acts || MAY_ACT_ON[role]!.includes(use.target));
          const what = `${protocol.protocol} on ${use.target}: ${JSON.stringify(answer.body)}`;
          if (may) {
            expect(answer.status, what).toBeLessThan(300);
            continue;
          }
          expect(answer, what).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
          if (administers(role)) expect(answer.body.message, what).toMatch(/SERVICE_ADMIN/);
          expect(await stored(), what).toEqual(before);
        }
      }
    },
    60_000,
  );
});

import { getOption } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { method_role, Role, service_role } from '../../gen/laurel/auth/v1/options_pb.ts';
import { routes } from '../../gen/routes.ts';
import { requiredRoles } from '../../src/server/rpc/required-role.ts';

const roleOf = requiredRoles(new Map());
const methods = [...new Set(routes.map(({ rpc }) => rpc))].map(
  (rpc) => [`${rpc.parent.typeName}/${rpc.name}`, rpc] as const,
);

/** How people come to have a credential, and how they give it back when it has expired. */
const PUBLIC = /SessionService\/(SignIn|RefreshSession|SignOut|ListSignInMethods)$/;

describe('the role of every operation', () => {
  test.each(methods)('%s states one', (_name, method) => {
    expect(getOption(method, method_role) || getOption(method.parent, service_role)).toBeTruthy();
  });

  test.each(methods.filter(([name]) => name.startsWith('laurel.admin.') && !PUBLIC.test(name)))(
    '%s is closed to API keys',
    (_name, method) => {
      expect(roleOf(method)).toBeGreaterThanOrEqual(Role.CLIENT_ADMIN);
    },
  );

  test('only signing in and out is open to everybody', () => {
    const open = methods.filter(([, method]) => roleOf(method) === Role.PUBLIC);
    expect(open.map(([name]) => name)).toEqual(methods.map(([name]) => name).filter((name) => PUBLIC.test(name)));
  });

  test.each(methods.filter(([name]) => /WebhookService/.test(name)))('%s needs the client admin', (_name, method) => {
    expect(roleOf(method)).toBe(Role.CLIENT_ADMIN);
  });

  test('clients are created and listed by service administrators only', () => {
    const creating = methods.filter(([name]) => /ClientAdminService\/(Create|List)/.test(name));
    expect(creating.map(([, method]) => roleOf(method))).toEqual([Role.SERVICE_ADMIN, Role.SERVICE_ADMIN]);
  });

  test('what states no role is closed to all but service administrators', () => {
    const [, method] = methods[0] ?? expect.unreachable('there are no routes');
    const unstated = {
      ...method,
      proto: { ...method.proto, options: undefined },
      parent: { ...method.parent, proto: { ...method.parent.proto, options: undefined } },
    };
    expect(requiredRoles(new Map())(unstated as typeof method)).toBe(Role.SERVICE_ADMIN);
  });
});

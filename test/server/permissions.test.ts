import { getOption } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { method_permission, Permission, service_permission } from '../../gen/laurel/auth/v1/options_pb.ts';
import { routes } from '../../gen/routes.ts';
import { hasPermission, permissionOf } from '../../src/clients/permissions.ts';
import { requiredPermissions } from '../../src/server/rpc/required-permission.ts';

const needs = requiredPermissions();
const methods = [...new Set(routes.map(({ rpc }) => rpc))].map(
  (rpc) => [`${rpc.parent.typeName}/${rpc.name}`, rpc] as const,
);

/** The operations by which people get a credential, and by which they end an expired one. */
const PUBLIC = /SessionService\/(SignIn|RefreshSession|SignOut|ListSignInMethods)$/;

/**
 * The operations of `laurel.v1` that a leaked key must not reach: where webhooks go, what happened in the past, whether changes are kept.
 */
const KEPT = /Webhook(Endpoint)?Service|\/(BackfillTriggers|UpdateChangeFeed)$/;

describe('the permission of every operation', () => {
  test.each(methods)('%s states one', (_name, method) => {
    expect(getOption(method, method_permission) || getOption(method.parent, service_permission)).toBeTruthy();
  });

  test('only signing in and out is open to everybody', () => {
    const open = methods.filter(([, method]) => needs(method) === Permission.ANYONE);
    expect(open.map(([name]) => name)).toEqual(methods.map(([name]) => name).filter((name) => PUBLIC.test(name)));
  });

  test.each(methods.filter(([name]) => name.startsWith('laurel.admin.') && !PUBLIC.test(name)))(
    '%s is closed to API keys',
    (_name, method) => {
      expect(hasPermission({ role: 'INTEGRATOR' }, permissionOf(needs(method)))).toBe(false);
    },
  );

  test.each(methods.filter(([name]) => KEPT.test(name)))('%s is closed to API keys', (_name, method) => {
    expect(hasPermission({ role: 'INTEGRATOR' }, permissionOf(needs(method)))).toBe(false);
  });

  test.each(methods.filter(([name]) => name.startsWith('laurel.v1.') && !KEPT.test(name)))(
    '%s is open to API keys',
    (_name, method) => {
      expect(hasPermission({ role: 'INTEGRATOR' }, permissionOf(needs(method)))).toBe(true);
    },
  );

  test.each(methods.filter(([name]) => !PUBLIC.test(name)))(
    '%s changes nothing for a VIEWER but the own session',
    (_name, method) => {
      const changes = method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
      if (changes && needs(method) !== Permission.OWN_SESSION)
        expect(hasPermission({ role: 'VIEWER' }, permissionOf(needs(method)))).toBe(false);
    },
  );

  test('a CLIENT_ADMIN may call all but what creates and lists clients', () => {
    const closed = methods.filter(
      ([name, method]) => !PUBLIC.test(name) && !hasPermission({ role: 'CLIENT_ADMIN' }, permissionOf(needs(method))),
    );
    expect(closed.map(([name]) => name.split('/')[1])).toEqual(['CreateClient', 'ListClients']);
  });

  test('what states no permission is closed to all but service administrators', () => {
    const [, method] = methods[0] ?? expect.unreachable('there are no routes');
    const unstated = {
      ...method,
      proto: { ...method.proto, options: undefined },
      parent: { ...method.parent, proto: { ...method.parent.proto, options: undefined } },
    };
    expect(requiredPermissions()(unstated as typeof method)).toBe(Permission.ADMINISTER_SERVICE);
  });
});

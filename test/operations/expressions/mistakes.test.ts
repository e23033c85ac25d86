// The place of a mistake in an expression, in the errors of the operations that refuse it.
import { createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AudienceAdminService } from '../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { ExpressionFaultSchema } from '../../../gen/laurel/errors/v1/expression_fault_pb.ts';
import { Audience_Kind } from '../../../gen/laurel/v1/audience_pb.ts';
import { ConnectError } from '@connectrpc/connect';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let tenant: Tenant;
/** Ids of a standalone mission that nobody was offered, an audience of kind RULE, an audience of everyone, and a reward of points. */
let ids: {
  readonly mission: string;
  readonly audience: string;
  readonly everyone: string;
  readonly points: string;
};
beforeAll(async () => {
  service = await sharedService();
  tenant = await service.newTenant();
  await ok(admin('PUT', '/admin/account-attributes', { version: 1, attributes: [{ name: 'tier', type: 'STRING' }] }));
  const { audienceId, rewardIds } = await newGame(service, {
    adminToken: tenant.adminToken,
    codes: { BUY: 'AMOUNT' },
    missions: [{ programmaticCode: 'BUY' }],
  });
  const startsAt = new Date(Date.now() + 86_400_000).toISOString();
  const draft = { type: 'MISSION', name: 'M', programmaticCode: 'BUY', target: 1, startsAt };
  const mission = await ok(admin('POST', '/admin/missions', { audienceId, mission: draft }));
  const audience = await ok(admin('POST', '/admin/audiences', { ...rule('account.tier == "GOLD"') }));
  ids = { mission: mission.id, audience: audience.id, everyone: audienceId, points: rewardIds[0]! };
});
afterAll(() => service.close());

const admin = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.adminToken);

const rule = (expression: string) => ({ name: 'Rule', kind: 'RULE', expression });
const formula = (amountExpression: string) => ({ name: 'Formula', type: 'POINTS', amountExpression, amountMax: 9 });
const mission = (expression: string) => ({
  ...{ type: 'MISSION', name: 'M', programmaticCode: 'BUY', target: 1 },
  conditions: { expression },
});

test.each([
  [
    'POST /admin/missions',
    'mission.conditions.expression',
    (text: string) => ({ audienceId: ids.everyone, mission: mission(text) }),
  ],
  [
    'PUT /admin/missions/mission',
    'mission.conditions.expression',
    (text: string) => ({ version: 1, mission: mission(text) }),
  ],
  [
    'POST /admin/campaigns',
    'missions[1].conditions.expression',
    (text: string) => ({
      name: 'C',
      audienceIds: [ids.everyone],
      rewardIds: [ids.points],
      missions: [mission('true'), mission(text)],
    }),
  ],
  ['POST /admin/audiences', 'expression', rule],
  ['PUT /admin/audiences/audience', 'expression', (text: string) => ({ version: 1, name: 'Rule', expression: text })],
  ['POST /admin/rewards', 'amountExpression', formula],
] as const)('%s says the place of the mistake in the details of its 400', async (operation, field, bodyOf) => {
  const [method = '', path = ''] = operation.split(' ');
  const { status, body } = await admin(
    method,
    path.replace(/[a-z]+$/, (last) => ids[last as keyof typeof ids] ?? last),
    bodyOf('true &&\n now > 2'),
  );
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
  const [{ message, ...detail }, ...others] = body.details;
  expect(detail).toEqual({ field, rule: 'expression', line: 2, column: 6, endLine: 2, endColumn: 7, expected: [] });
  expect(body.message).toBe(`${field}, line 2, column 6: ${message}`);
  expect(others).toEqual([]);
});

test.each([
  ['gRPC', createGrpcTransport],
  ['Connect', (options: { readonly baseUrl: string }) => createConnectTransport({ ...options, httpVersion: '1.1' })],
])('over %s the place is an ExpressionFault, with what would fit', async (_, transportOf) => {
  const client = createClient(AudienceAdminService, transportOf({ baseUrl: service.baseUrl }));
  const headers = { authorization: `Bearer ${tenant.adminToken}` };
  const request = { name: 'Rule', kind: Audience_Kind.RULE, expression: 'account.teir == "GOLD"' };
  const refusal = await client.createAudience(request, { headers }).then(
    () => undefined,
    (error: unknown) => ConnectError.from(error),
  );
  const [{ $typeName: _name, $unknown: _more, ...fault } = {}] = refusal!.findDetails(
    ExpressionFaultSchema,
  ) as object[] as Array<Record<string, unknown>>;
  expect(fault).toEqual({
    ...{ field: 'expression', line: 1, column: 1, endLine: 1, endColumn: 13 },
    message: 'There is no account.teir. Known names: account.tier, account.createdAt, account.audiences, now.',
    expected: ['account.tier', 'account.createdAt', 'account.audiences', 'now'],
  });
});

test('over gRPC, names that are too long for a trailer are left out of what would fit', async () => {
  const own = await service.newTenant();
  const attributes = Array.from({ length: 32 }, (_, index) => ({ name: `a${index}${'x'.repeat(60)}`, type: 'STRING' }));
  await ok(service.rest('PUT', '/admin/account-attributes', { version: 1, attributes }, own.adminToken));
  const client = createClient(AudienceAdminService, createGrpcTransport({ baseUrl: service.baseUrl }));
  const headers = { authorization: `Bearer ${own.adminToken}` };
  const request = { name: 'Rule', kind: Audience_Kind.RULE, expression: 'account.none' };
  const refusal = await client.createAudience(request, { headers }).catch((error: unknown) => ConnectError.from(error));
  expect((refusal as ConnectError).findDetails(ExpressionFaultSchema)).toMatchObject([{ line: 1, expected: [] }]);
});

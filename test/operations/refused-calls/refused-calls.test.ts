// The log of refused calls and the counts of all calls, as an operator reads them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finishErasures } from '../../../src/accounts/erasure/finish-erasures.ts';
import { partsOfAccount } from '../../../src/app/parts-of-account.ts';
import { TriggerService } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { deleteOldCalls } from '../../../src/refused-calls/delete-old-calls.ts';
import { ok } from '../../support/administration.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { callByGrpcJs } from '../../server/grpc-js.ts';
import { newCustomer, newOffer, post } from '../marketplace/shop.ts';

let service: TestService;
let ann = '';

beforeAll(async () => {
  service = await startService();
  await post(service, '/admin/event-definitions', { programmaticCode: 'KNOWN', type: 'SINGLE' });
  ann = (await post(service, '/accounts', { externalId: 'ann@example.com' }, service.apiKey)).id;
});
afterAll(() => service.close());

const DAY = 86_400_000;

type Query = Record<string, string>;
const read = (query: Query = {}, token?: string) =>
  service.rest('GET', `/admin/refused-calls?${new URLSearchParams(query)}`, undefined, token);
const rowsOf = async (query: Query = {}, token?: string) => (await ok(read(query, token))).rows;
const countsOf = async (query: Query = {}, token?: string) =>
  (await ok(service.rest('GET', `/admin/refused-calls/counts?${new URLSearchParams(query)}`, undefined, token))).rows;
const send = (programmaticCode: string, more: object = {}, token?: string) =>
  service.rest('POST', '/gamification/triggers', { programmaticCode, accountId: ann, ...more }, token);

/** A separate tenant, so that a test counts only its calls. */
async function newTenant(): Promise<Tenant & { readonly account: string }> {
  const tenant = await service.newTenant();
  await post(service, '/admin/event-definitions', { programmaticCode: 'KNOWN', type: 'SINGLE' }, tenant.adminToken);
  return { ...tenant, account: (await post(service, '/accounts', { externalId: 'ann' }, tenant.apiKey)).id };
}

describe('the log', () => {
  test('has a refused event with its operation, key, code, account, event code and operation id', async () => {
    await send('UNKNOWN', { operationId: 'order-1' });
    const [row] = await rowsOf();
    expect(row).toEqual({
      id: expect.any(String),
      refusedAt: expect.any(String),
      operation: 'TriggerService.EmitTrigger',
      credentialId: expect.any(String),
      credentialName: expect.any(String),
      accountToken: false,
      statusCode: 404,
      code: 'EVENT_DEFINITION_NOT_FOUND',
      message: expect.stringContaining('UNKNOWN'),
      accountId: ann,
      programmaticCode: 'UNKNOWN',
      operationId: 'order-1',
    });
    expect(Math.abs(Date.parse(row.refusedAt) - Date.now())).toBeLessThan(60_000);
  });

  test('has the account of an external id by its own id, and the external id of nobody nowhere', async () => {
    await send('EXTERNAL', { accountId: 'ann@example.com', idType: 'EXTERNAL' });
    await service.rest('GET', '/accounts/nobody@example.com?idType=EXTERNAL');
    const rows = await rowsOf();
    expect(rows[1]).toMatchObject({ programmaticCode: 'EXTERNAL', accountId: ann });
    expect(rows[0]).toMatchObject({ operation: 'AccountService.GetAccount', code: 'ACCOUNT_NOT_FOUND' });
    expect(rows[0].message).toContain('…');
    expect(JSON.stringify(rows)).not.toContain('example.com');
  });

  test('names the field of a broken rule, and of a body that cannot be read, without the value', async () => {
    await send('KNOWN', { accountId: '' });
    await send('KNOWN', { metadata: 'secret' });
    const [unread, invalid] = await rowsOf({ code: 'BAD_REQUEST' });
    expect(invalid).toMatchObject({ field: 'accountId', programmaticCode: 'KNOWN' });
    expect(unread).toMatchObject({ operation: 'TriggerService.EmitTrigger', field: 'metadata' });
    expect(JSON.stringify(unread)).not.toContain('secret');
  });

  test('has a refused purchase with the publication and the account', async () => {
    const buyer = await newCustomer(service, 'buyer');
    const publication = await newOffer(service, { pointsCost: 5 });
    expect((await buyer.redeem(publication)).status).toBe(409);
    const [row] = await rowsOf({ operation: 'MarketplaceService.RedeemPublication' });
    expect(row).toMatchObject({ resourceId: publication, code: 'INSUFFICIENT_POINTS' });
    expect(row.accountId).toBe((await ok(service.rest('GET', '/accounts/buyer?idType=EXTERNAL'))).id);
  });

  test('has the refused items of a batch, each with its account and code', async () => {
    const triggers = ['KNOWN', 'BATCH_1', 'BATCH_2'].map((programmaticCode) => ({ programmaticCode, accountId: ann }));
    await ok(service.rest('POST', '/gamification/triggers/batch', { triggers }));
    const rows = await rowsOf({ operation: 'TriggerService.EmitTriggerBatch' });
    expect(rows.map((row: { programmaticCode: string }) => row.programmaticCode)).toEqual(['BATCH_2', 'BATCH_1']);
    expect(rows[0]).toMatchObject({ accountId: ann, code: 'EVENT_DEFINITION_NOT_FOUND', statusCode: 404 });
  });

  test('has calls over gRPC, and calls with an account token under the key that issued it', async () => {
    const trigger = { programmaticCode: 'OVER_GRPC', accountId: ann };
    const address = `127.0.0.1:${service.app.port}`;
    await expect(
      callByGrpcJs(address, TriggerService.method.emitTrigger, { trigger }, service.apiKey),
    ).rejects.toThrow();
    const asked = { accountId: ann, permissions: ['READ'] };
    const { token } = await ok(service.rest('POST', '/v1/account-tokens', asked, service.apiKey));
    expect((await send('WITH_TOKEN', {}, token)).status).toBe(403);
    const [withToken, overGrpc] = await rowsOf();
    expect(overGrpc).toMatchObject({ programmaticCode: 'OVER_GRPC', statusCode: 404, accountToken: false });
    expect(withToken).toMatchObject({ code: 'FORBIDDEN', accountToken: true, accountId: ann });
    expect(withToken.credentialId).toBe(overGrpc.credentialId);
  });

  test('has a caller without the permission, and nothing of a call without a credential', async () => {
    expect((await service.rest('GET', '/admin/refused-calls', undefined, service.apiKey)).status).toBe(403);
    const before = await rowsOf();
    expect(before[0]).toMatchObject({ operation: 'RefusedCallAdminService.ListRefusedCalls', code: 'FORBIDDEN' });
    expect((await send('KNOWN', {}, 'lrl_key_unknown')).status).toBe(401);
    expect(await rowsOf()).toEqual(before);
  });
});

describe('the list', () => {
  test('is filtered by operation, credential, code, account and time, and read page by page, the latest first', async () => {
    const { adminToken, apiKey, account } = await newTenant();
    expect(await ok(read({}, adminToken))).toEqual({ rows: [] });
    const begun = new Date().toISOString();
    for (const code of ['A', 'B', 'C']) await send(code, { accountId: account }, apiKey);
    await service.rest('GET', `/accounts/${crypto.randomUUID()}`, undefined, apiKey);
    await service.rest('GET', `/admin/products/${crypto.randomUUID()}`, undefined, adminToken);
    const all = await rowsOf({}, adminToken);
    const codesOf = (rows: readonly Record<string, string>[]) =>
      rows.map((row) => row['programmaticCode'] ?? row['code']);
    expect(codesOf(all)).toEqual(['PRODUCT_NOT_FOUND', 'ACCOUNT_NOT_FOUND', 'C', 'B', 'A']);
    const filtered = async (query: Query) => codesOf(await rowsOf(query, adminToken));
    expect(await filtered({ operation: 'TriggerService.EmitTrigger' })).toEqual(['C', 'B', 'A']);
    expect(await filtered({ credentialId: all[0].credentialId })).toEqual(['PRODUCT_NOT_FOUND']);
    expect(await filtered({ code: 'ACCOUNT_NOT_FOUND' })).toEqual(['ACCOUNT_NOT_FOUND']);
    expect(await filtered({ accountId: account })).toEqual(['C', 'B', 'A']);
    expect(await filtered({ since: begun })).toHaveLength(5);
    expect(await filtered({ until: begun })).toEqual([]);
    const first = await ok(read({ limit: '2', accountId: account }, adminToken));
    const second = await ok(read({ limit: '2', accountId: account, cursor: first.nextCursor }, adminToken));
    expect([codesOf(first.rows), codesOf(second.rows)]).toEqual([['C', 'B'], ['A']]);
    expect(second.nextCursor).toBeUndefined();
  });

  test('refuses a cursor that comes from no answer, and a `limit` beyond its bounds', async () => {
    for (const query of [{ cursor: 'x' }, { limit: '0' }, { limit: '201' }, { accountId: 'ann' }])
      expect(await read(query as unknown as Query)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test('and the counts show nothing of another client', async () => {
    await send('OURS');
    const { adminToken } = await service.newTenant();
    expect(await ok(read({}, adminToken))).toEqual({ rows: [] });
    expect(await ok(read({ accountId: ann }, adminToken))).toEqual({ rows: [] });
    const operations = (await countsOf({}, adminToken)).map((row: { operation: string }) => row.operation);
    expect(operations).toEqual(['RefusedCallAdminService.ListRefusedCalls']);
  });
});

describe('the counts', () => {
  test('have each call once, by operation and credential, and the refused ones by code', async () => {
    const { adminToken, apiKey, account } = await newTenant();
    const triggers = ['KNOWN', 'KNOWN', 'X'].map((programmaticCode) => ({ programmaticCode, accountId: account }));
    await ok(service.rest('POST', '/gamification/triggers/batch', { triggers }, apiKey));
    for (const code of ['KNOWN', 'X', 'X', 'X']) await send(code, { accountId: account }, apiKey);
    await send('KNOWN', { accountId: '' }, apiKey);
    const rows = await countsOf({}, adminToken);
    expect(rows[0]).toEqual({
      operation: 'TriggerService.EmitTrigger',
      credentialId: expect.any(String),
      credentialName: expect.any(String),
      calls: 5,
      refused: 4,
      refusedShare: 0.8,
      codes: [
        { code: 'EVENT_DEFINITION_NOT_FOUND', refused: 3 },
        { code: 'BAD_REQUEST', refused: 1 },
      ],
    });
    expect(rows[1]).toMatchObject({ operation: 'TriggerService.EmitTriggerBatch', calls: 3, refused: 1 });
    const [{ credentialId }] = rows;
    expect(await countsOf({ operation: 'TriggerService.EmitTriggerBatch' }, adminToken)).toEqual([rows[1]]);
    const ofKey = await countsOf({ credentialId }, adminToken);
    expect(ofKey.map((row: { calls: number }) => row.calls).toSorted()).toEqual([1, 3, 5]);
  });

  test('refuse an `until` that is not after `since`', async () => {
    const now = new Date().toISOString();
    const answer = await service.rest('GET', `/admin/refused-calls/counts?since=${now}&until=${now}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });
});

describe('in time', () => {
  test('calls of an erased account are deleted, also those that were written after the erasure', async () => {
    const { id } = await post(service, '/accounts', { externalId: 'gone' }, service.apiKey);
    await send('BEFORE', { accountId: id });
    expect(await rowsOf({ accountId: id })).toHaveLength(1);
    // The process writes it after the account has gone.
    await send('MEANWHILE', { accountId: id });
    await ok(service.rest('POST', `/accounts/${id}/erase`, {}));
    const clock = () => new Date(Date.now() + 240_000);
    await finishErasures(service.db, service.clientId, { parts: partsOfAccount, clock });
    expect(await rowsOf({ accountId: id })).toEqual([]);
    expect(JSON.stringify(await rowsOf())).not.toContain(id);
  });

  test('calls of a merged account are found by the account into which it was merged', async () => {
    const guest = (await post(service, '/accounts', { externalId: 'guest' }, service.apiKey)).id;
    const member = (await post(service, '/accounts', { externalId: 'member' }, service.apiKey)).id;
    await send('OF_GUEST', { accountId: guest });
    await rowsOf();
    const merge = { intoAccountId: member, progress: 'SUM' };
    await ok(service.rest('POST', `/accounts/${guest}/merge`, merge));
    await send('OF_MEMBER', { accountId: member });
    const rows = await rowsOf({ accountId: member });
    expect(rows.map((row: { programmaticCode: string }) => row.programmaticCode)).toEqual(['OF_MEMBER', 'OF_GUEST']);
  });

  test('rows and counts are deleted when they are too old, and not before', async () => {
    const { clientId, adminToken, apiKey, account } = await newTenant();
    await send('OLD', { accountId: account }, apiKey);
    const [row] = await rowsOf({}, adminToken);
    const at = Date.parse(row.refusedAt);
    expect(await deleteOldCalls(service.db, clientId, new Date(at - DAY))).toBe(0);
    expect(await rowsOf({}, adminToken)).toHaveLength(1);
    expect(await deleteOldCalls(service.db, clientId, new Date(at + DAY))).toBeGreaterThan(1);
    expect(await rowsOf({}, adminToken)).toEqual([]);
  });
});

import { request } from 'node:http';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ImportAdminService } from '../../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { cleanUpImports } from '../../../src/imports/worker/clean-up-imports.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { createImport, ended, load, upload } from './files.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('a file may be sent in parts, and each continues where the last ended', async () => {
  const { id, uploadPath } = await createImport(service);
  const file = 'externalId,name\np-1,Ada\np-2,Bob\n';
  const first = await upload(service, `${uploadPath}?more=true`, file.slice(0, 20));
  expect(first).toMatchObject({ status: 200, body: { status: 'UPLOADING', bytes: 20 } });
  const wrong = await upload(service, `${uploadPath}?offset=10`, file.slice(10));
  expect(wrong).toMatchObject({ status: 409, body: { code: 'UPLOAD_OFFSET_MISMATCH', traceId: expect.any(String) } });
  expect(wrong.body.message).toContain('offset 20');
  const last = await upload(service, `${uploadPath}?offset=20`, file.slice(20));
  expect(last).toMatchObject({ status: 200, body: { status: 'QUEUED', bytes: file.length } });
  expect(await ended(service, id)).toMatchObject({ status: 'DONE', rowsCreated: 2 });
  const late = await upload(service, uploadPath, file);
  expect(late).toMatchObject({ status: 409, body: { code: 'IMPORT_NOT_UPLOADING' } });
});

test('what came before a connection broke stays, and a repeat from the beginning replaces it', async () => {
  const { id, uploadPath } = await createImport(service);
  await upload(service, `${uploadPath}?more=true`, 'externalId\nwrong-1\n');
  await abortedUpload(`${uploadPath}?offset=19`, Buffer.alloc(2_000_000, 'x'));
  await expect.poll(async () => (await service.rest('GET', `/admin/imports/${id}`)).body.bytes).toBeGreaterThan(19);
  const { body } = await service.rest('GET', `/admin/imports/${id}`);
  expect(body.status).toBe('UPLOADING');
  await upload(service, uploadPath, 'externalId\nright-1\n');
  expect(await ended(service, id)).toMatchObject({ status: 'DONE', rowsCreated: 1, bytes: 19 });
});

/** Sends a part of a body, and disconnects when the service has received some of it. */
function abortedUpload(path: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const sending = request(service.baseUrl + path, {
      method: 'PUT',
      headers: { authorization: `Bearer ${service.adminToken}`, 'content-length': bytes.length + 1 },
    });
    sending.on('error', () => resolve());
    sending.on('close', () => resolve());
    sending.write(bytes, () => setTimeout(() => sending.destroy(), 50));
  });
}

test('of two uploads of one import at once, the later one counts and the other gets an error', async () => {
  const { id, uploadPath } = await createImport(service);
  let proceed = () => {};
  const gate = new Promise<void>((resolve) => (proceed = resolve));
  const slow = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.alloc(600_000, 'x'));
      await gate;
      controller.enqueue(Buffer.from('\n'));
      controller.close();
    },
  });
  const first = upload(service, uploadPath, slow);
  await expect.poll(async () => (await service.rest('GET', `/admin/imports/${id}`)).body.bytes).toBeGreaterThan(0);
  const second = await upload(service, `${uploadPath}?more=true`, 'externalId\ntwo-1\n');
  proceed();
  expect(second).toMatchObject({ status: 200, body: { bytes: 17 } });
  expect(await first).toMatchObject({ status: 409, body: { code: 'UPLOAD_OFFSET_MISMATCH' } });
  expect(await upload(service, `${uploadPath}?offset=17`, '')).toMatchObject({ status: 200 });
  expect(await ended(service, id)).toMatchObject({ status: 'DONE', rowsCreated: 1 });
});

test('a file may come over gRPC as a stream of messages', async () => {
  const { id } = await createImport(service);
  const client = createClient(ImportAdminService, createGrpcTransport({ baseUrl: service.baseUrl }));
  const headers = { authorization: `Bearer ${service.adminToken}` };
  const parts = [{ id, data: Buffer.from('externalId\n') }, { data: Buffer.from('grpc-1\n') }];
  const answer = await client.uploadImport(
    (async function* () {
      yield* parts;
    })(),
    { headers },
  );
  expect(answer.import).toMatchObject({ id, bytes: 18 });
  expect(await ended(service, id)).toMatchObject({ status: 'DONE', rowsCreated: 1 });
  const pieces = [];
  for await (const { data } of client.downloadRefusals({ id }, { headers })) pieces.push(data);
  expect(Buffer.concat(pieces).toString()).toBe('\uFEFFline,key,reason\r\n');
});

test('a body that is not what it says is refused', async () => {
  const { uploadPath } = await createImport(service);
  const encoded = (encoding: string) =>
    upload(service, uploadPath, 'externalId\n', { headers: { 'content-encoding': encoding } });
  expect(await encoded('gzip')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(await encoded('zip')).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  expect(await upload(service, `${uploadPath}?offset=-1`, '')).toMatchObject({ status: 400 });
  expect(await upload(service, `${uploadPath}?unknown=1`, '')).toMatchObject({ status: 400 });
  expect(await upload(service, '/admin/imports/no-id/content', '')).toMatchObject({ status: 400 });
  expect(await service.rest('DELETE', uploadPath)).toMatchObject({ status: 405 });
});

test('only an administrator of the client reaches its imports', async () => {
  const stranger = await service.newTenant();
  const { id, uploadPath } = await createImport(service);
  const refusalsPath = `/admin/imports/${id}/refusals.csv`;
  const exports = ['accounts.csv', 'redemptions.csv', `product-codes.csv?productId=${newId()}`];
  for (const path of [refusalsPath, ...exports.map((each) => `/admin/exports/${each}`)]) {
    expect(await service.rest('GET', path, undefined, service.apiKey), path).toMatchObject({ status: 403 });
    expect(await service.rest('GET', path, undefined, 'nonsense'), path).toMatchObject({ status: 401 });
  }
  expect(await upload(service, uploadPath, 'x', { token: service.apiKey })).toMatchObject({ status: 403 });
  expect(await upload(service, uploadPath, 'x', { token: 'nonsense' })).toMatchObject({ status: 401 });
  for (const token of [stranger.adminToken]) {
    const notFound = { status: 404, body: { code: 'IMPORT_NOT_FOUND' } };
    expect(await upload(service, uploadPath, 'x', { token })).toMatchObject(notFound);
    expect(await service.rest('GET', refusalsPath, undefined, token)).toMatchObject(notFound);
    expect(await service.rest('GET', `/admin/imports/${id}`, undefined, token)).toMatchObject(notFound);
    expect(await service.rest('POST', `/admin/imports/${id}/cancel`, undefined, token)).toMatchObject(notFound);
  }
  expect((await service.rest('GET', `/admin/imports/${id}`)).body).toMatchObject({ bytes: 0, status: 'UPLOADING' });
});

test('a request that makes no sense is refused when the import is created', async () => {
  const post = (body: object) => service.rest('POST', '/admin/imports', { fileName: 'x.csv', ...body });
  const { id: everyone } = (await service.rest('POST', '/admin/audiences', { name: 'E', kind: 'EVERYONE' })).body;
  const { id: counted } = (await service.rest('POST', '/admin/products', { name: 'C', stockMode: 'COUNTED' })).body;
  expect(await post({ type: 'ACCOUNTS', productId: counted })).toMatchObject({ status: 400 });
  expect(await post({ type: 'ACCOUNTS', audienceId: everyone })).toMatchObject({ status: 409 });
  expect(await post({ type: 'PRODUCT_CODES' })).toMatchObject({ status: 400 });
  expect(await post({ type: 'PRODUCT_CODES', productId: counted })).toMatchObject({ status: 409 });
  expect(await post({ type: 'PRODUCT_CODES', productId: newId() })).toMatchObject({ status: 404 });
  expect(await post({ type: 'PRODUCT_CODES', productId: counted, audienceId: everyone })).toMatchObject({
    status: 400,
  });
});

test('a cancelled import takes no more bytes and is never applied; one that ended cannot be cancelled', async () => {
  const { id, uploadPath } = await createImport(service);
  await upload(service, `${uploadPath}?more=true`, 'externalId\n');
  const cancel = () => service.rest('POST', `/admin/imports/${id}/cancel`);
  expect(await cancel()).toMatchObject({ status: 200, body: { status: 'CANCELLED', finishedAt: expect.any(String) } });
  expect(await cancel()).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
  expect(await upload(service, `${uploadPath}?offset=11`, 'x-1\n')).toMatchObject({ status: 409 });
  const done = await load(service, 'externalId\ndone-1\n');
  const late = await service.rest('POST', `/admin/imports/${done.id}/cancel`);
  expect(late).toMatchObject({ status: 409, body: { code: 'IMPORT_ENDED' } });
});

test('creating and cancelling are in the audit log', async () => {
  const { id } = await createImport(service);
  await service.rest('POST', `/admin/imports/${id}/cancel`);
  const entries = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ operation: string }>(
      `select operation from audit_entry where client_id = $1 and resource_id = $2 order by id`,
      [service.clientId, id],
    ),
  );
  expect(entries.map(({ operation }) => operation)).toEqual([
    'ImportAdminService.CreateImport',
    'ImportAdminService.CancelImport',
  ]);
});

test('an upload that nobody goes on with for a day fails, and its bytes are deleted', async () => {
  const { id, uploadPath } = await createImport(service);
  await upload(service, `${uploadPath}?more=true`, 'externalId\n');
  const in25Hours = new Date(Date.now() + 25 * 3_600_000);
  await cleanUpImports(service.db, service.clientId, in25Hours);
  const { body } = await service.rest('GET', `/admin/imports/${id}`);
  expect(body).toMatchObject({ status: 'FAILED', error: expect.stringContaining('not completed within a day') });
  const pieces = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(`select from csv_import_chunk where client_id = $1 and import_id = $2`, [service.clientId, id]),
  );
  expect(pieces).toEqual([]);
});

describe('what a client may have staged', () => {
  const MIB = 2 ** 20;
  let small: TestService;
  beforeAll(async () => {
    // No worker loads the upload, so that it stays.
    const importWorker = () => ({ start() {}, wake() {}, async stop() {} });
    small = await startService({ importWorker, importQuota: { openMax: 3, bytesMax: MIB } });
  });
  afterAll(() => small.close());
  const create = ({ adminToken }: Tenant) =>
    small.rest('POST', '/admin/imports', { type: 'ACCOUNTS', fileName: 'users.csv' }, adminToken);
  const cancel = ({ adminToken }: Tenant, id: string) =>
    small.rest('POST', `/admin/imports/${id}/cancel`, {}, adminToken);

  test('is so many open imports, however many are created at once; one that ended makes room', async () => {
    const [tenant, other] = [await small.newTenant(), await small.newTenant()];
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(tenant)));
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(3);
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      body: {
        code: 'IMPORT_QUOTA_EXCEEDED',
        message: expect.stringMatching(/^3 imports .* may have 3\. .*cancel one\.$/),
      },
    });
    expect((await create(other)).status).toBe(201);
    await cancel(tenant, created[0]!.body.id);
    expect((await create(tenant)).status).toBe(201);
    expect((await create(tenant)).status).toBe(409);
  });

  test('is so many bytes of files; an upload that is refused keeps what it has, and goes on once there is room', async () => {
    const tenant = await small.newTenant();
    const token = tenant.adminToken;
    const [first, second] = [(await create(tenant)).body, (await create(tenant)).body];
    const file = Buffer.from(`externalId\n${'a\n'.repeat(MIB * 0.3)}`);
    expect((await upload(small, first.uploadPath, file, { token })).status).toBe(200);
    const refused = await upload(small, second.uploadPath, file, { token });
    expect(refused).toMatchObject({ status: 409, body: { code: 'IMPORT_QUOTA_EXCEEDED' } });
    const { bytes } = (await small.rest('GET', `/admin/imports/${second.id}`, undefined, token)).body;
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(MIB - file.length);
    await cancel(tenant, first.id);
    const pieces = () =>
      small.db.unitOfWork(tenant.clientId, (uow) =>
        uow.query('select 1 from csv_import_chunk where client_id = $1 and import_id = $2', [
          tenant.clientId,
          first.id,
        ]),
      );
    await expect.poll(pieces, { timeout: 10_000 }).toEqual([]);
    const rest = file.subarray(bytes);
    expect(await upload(small, `${second.uploadPath}?offset=${bytes}`, rest, { token })).toMatchObject({
      status: 200,
      body: { status: 'QUEUED', bytes: file.length },
    });
  });
});

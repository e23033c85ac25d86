import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { ok, recorded } from '../../support/administration.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { settledUser } from '../clients/console.ts';
import { download, load } from './files.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const DOWNLOAD = 'ImportAdminService.DownloadRefusals';

const reasonsOf = async (id: string, token?: string) =>
  (await ok(service.rest('GET', `/admin/imports/${id}/refusals`, undefined, token))).rows;

test('the reasons are reported with their values apart, that of most rows first, by the first five rows of each', async () => {
  const strangers = Array.from({ length: 7 }, (_, index) => `b-${index},,Club ${index}`);
  const file = ['externalId,email,audience', 'a-1,ada,', ...strangers, 'a-2,ada@example.com,', 'a-2,,'].join('\n');
  const { id, rowsRefused } = await load(service, file);
  expect(rowsRefused).toBe(9);
  const [clubs, ...others] = await reasonsOf(id);
  expect(clubs.count).toBe(7);
  expect(clubs.first.map(({ line, key }: { line: number; key: string }) => [line, key])).toEqual([
    ...[3, 4, 5, 6, 7].map((line) => [line, `b-${line - 3}`]),
  ]);
  expect(clubs.first[1]).toEqual({
    line: 4,
    key: 'b-1',
    message: "There is no audience 'Club 1' with members of its own. Create it first, or leave the cell empty.",
    metadata: {
      message: "There is no audience '{0}' with members of its own. Create it first, or leave the cell empty.",
      0: 'Club 1',
    },
  });
  expect(others).toEqual([
    { count: 1, first: [{ line: 2, key: 'a-1', message: expect.stringMatching(/one @/), metadata: {} }] },
    {
      count: 1,
      first: [
        {
          line: 11,
          key: 'a-2',
          message: 'Its externalId stands in line 10 already.',
          metadata: { message: 'Its {0} stands in line {1} already.', 0: 'externalId', 1: '10' },
        },
      ],
    },
  ]);
});

test('a code that was refused is masked, and one that could not be read is empty', async () => {
  const product = await ok(service.rest('POST', '/admin/products', { name: 'Coupon', stockMode: 'CODES' }));
  const file = 'code,item\nSPRING-2026,\nSPRING-2026,\nSUMMER-2026\n';
  const { id } = await load(service, file, { type: 'PRODUCT_CODES', productId: product.id });
  const keys = (await reasonsOf(id)).map(({ first }: { first: { key: string }[] }) => first.map(({ key }) => key));
  expect(keys).toEqual([['••••2026'], ['']]);
});

describe('the file of refused codes', () => {
  const path = (id: string) => `/admin/imports/${id}/refusals.csv`;

  /** A running import that refuses a code because another of its rows has loaded it. */
  async function refusedCodes(tenant: Tenant) {
    const rest = (method: string, to: string, body: object) => ok(service.rest(method, to, body, tenant.adminToken));
    const product = await rest('POST', '/admin/products', { name: 'Coupon', stockMode: 'CODES' });
    const file = 'code\nLIVE-CODE-2026\nLIVE-CODE-2026\n';
    return load(service, file, { type: 'PRODUCT_CODES', productId: product.id }, tenant);
  }
  const personOf = async (tenant: Tenant, role: string) =>
    (await settledUser(service, tenant.adminToken, role)).answer.body.accessToken as string;

  test('shows them masked to a role that may not reveal them, and leaves no entry', async () => {
    const tenant = await service.newTenant();
    const { id } = await refusedCodes(tenant);
    const report = await download(service, path(id), await personOf(tenant, 'MARKETER'));
    expect(report).toContain('3,••••2026,Its code stands in line 2 already.');
    expect(report).not.toContain('LIVE-CODE');
    expect(
      (await recorded({ db: service.db, clientId: tenant.clientId }, id)).map(({ operation }) => operation),
    ).not.toContain(DOWNLOAD);
  });

  test('shows them whole to who may reveal them, a person or a system, and each time is an entry of the audit log', async () => {
    const tenant = await service.newTenant();
    const { id } = await refusedCodes(tenant);
    for (const token of [await personOf(tenant, 'CLIENT_ADMIN'), tenant.adminToken])
      expect(await download(service, path(id), token)).toContain('3,LIVE-CODE-2026,');
    const entries = (await recorded({ db: service.db, clientId: tenant.clientId }, id)).filter(
      ({ operation }) => operation === DOWNLOAD,
    );
    expect(entries).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toContain('LIVE-CODE');
  });

  test('of accounts shows external ids as they are, and leaves no entry', async () => {
    const { id } = await load(service, 'externalId\nada-is-long-enough\nada-is-long-enough\n');
    expect(await download(service, path(id))).toContain('3,ada-is-long-enough,');
    expect((await recorded(service, id)).map(({ operation }) => operation)).not.toContain(DOWNLOAD);
  });

  test('that names no columns fails with its first code masked', async () => {
    const tenant = await service.newTenant();
    const rest = (method: string, to: string, body: object) => ok(service.rest(method, to, body, tenant.adminToken));
    const product = await rest('POST', '/admin/products', { name: 'Coupon', stockMode: 'CODES' });
    const file = 'LIVE-CODE-2026\nLIVE-CODE-2027\n';
    const failed = await load(service, file, { type: 'PRODUCT_CODES', productId: product.id }, tenant);
    expect(failed).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('names: ••••2026. It must name code'),
    });
    expect(JSON.stringify(await recorded({ db: service.db, clientId: tenant.clientId }, failed.id))).not.toContain(
      'LIVE-CODE',
    );
  });
});

test('fifty reasons at most are reported, also of the release before, which kept them in English alone', async () => {
  const { id } = await load(service, 'externalId\na-3\n');
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(
      `insert into csv_import_refusal (client_id, import_id, position, line, key, reason)
       select $1, $2, line, line, '', 'Its externalId stands in line ' || line || ' already.' from generate_series(1, 120) line`,
      [service.clientId, id],
    ),
  );
  const reasons = await reasonsOf(id);
  expect(reasons).toHaveLength(50);
  expect(reasons[49].first).toEqual([
    { line: 50, key: '', message: 'Its externalId stands in line 50 already.', metadata: {} },
  ]);
});

test('an import in which nothing was refused has none; one that there is not, or of another client, is a 404', async () => {
  const { id } = await load(service, 'externalId\na-4\n');
  expect(await reasonsOf(id)).toEqual([]);
  const missing = { status: 404, body: { code: 'IMPORT_NOT_FOUND' } };
  expect(await service.rest('GET', `/admin/imports/${newId()}/refusals`)).toMatchObject(missing);
  const { adminToken } = await service.newTenant();
  expect(await service.rest('GET', `/admin/imports/${id}/refusals`, undefined, adminToken)).toMatchObject(missing);
});

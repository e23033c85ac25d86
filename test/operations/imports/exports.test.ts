import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { accounts, download, load } from './files.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('accounts come as a file that opens in a spreadsheet without running anything, and that an import takes back', async () => {
  await service.rest('POST', '/admin/audiences', { name: 'Gold, old', kind: 'MANUAL' });
  const file = [
    'externalId,name,email,timeZone,audience',
    'x-1,=cmd|calc,+1@example.com,Europe/Madrid,"Gold, old"',
    '@x-2,"two\nlines",,,',
    `x-3,"say ""hi""",,,`,
    `x-4,'=kept,,,`,
  ].join('\n');
  await load(service, file);
  const before = await accounts(service);
  const text = await download(service, '/admin/exports/accounts.csv');
  const lines = text.split('\r\n');
  expect(lines[0]).toBe('\uFEFFid,externalId,email,name,timeZone,audience,createdAt');
  expect(text).toContain(`x-1,'+1@example.com,'=cmd|calc,Europe/Madrid,"Gold, old",`);
  expect(text).toContain(`,'@x-2,,"two\nlines",,,`);
  expect(text).toContain(`,x-3,,"say ""hi""",,,`);
  expect(await load(service, text)).toMatchObject({ status: 'DONE', rowsUnchanged: 4, rowsTotal: 4 });
  expect(await accounts(service)).toEqual(before);
});

test('an export of many pages holds every account once, of its client only', async () => {
  const tenant = await service.newTenant();
  const rows = Array.from({ length: 4_500 }, (_, index) => `many-${index}`);
  await load(service, `externalId\n${rows.join('\n')}\n`, {}, tenant);
  const text = await download(service, '/admin/exports/accounts.csv', tenant.adminToken);
  const keys = text.trimEnd().split('\r\n').slice(1);
  expect(new Set(keys.map((line) => line.split(',')[1]))).toEqual(new Set(rows));
  expect(keys.length).toBe(rows.length);
});

test('the members of an audience can be exported alone', async () => {
  const { id: audienceId } = (await service.rest('POST', '/admin/audiences', { name: 'Few', kind: 'MANUAL' })).body;
  await load(service, 'externalId\nfew-1\nfew-2\n', { audienceId });
  const text = await download(service, `/admin/exports/accounts.csv?audienceId=${audienceId}`);
  expect(text.trimEnd().split('\r\n').length).toBe(3);
  const stranger = await service.newTenant();
  const path = `/admin/exports/accounts.csv?audienceId=${audienceId}`;
  expect(await service.rest('GET', path, undefined, stranger.adminToken)).toMatchObject({ status: 404 });
});

test('codes tell whether they are free, and redemptions who has them', async () => {
  const { id: productId } = (
    await service.rest('POST', '/admin/products', { name: '+Voucher', stockMode: 'CODES', pointsCost: 1 })
  ).body;
  await load(service, 'code\n-A\nB\n', { type: 'PRODUCT_CODES', productId });
  const { id: accountId } = (await service.rest('POST', '/accounts', {})).body;
  await service.rest('POST', `/admin/accounts/${accountId}/points/adjust`, { amount: 1, reason: 'A gift.' });
  const { id } = (await service.rest('POST', `/loyalty/products/${productId}/redeem`, { accountId })).body;

  const codes = await download(service, `/admin/exports/product-codes.csv?productId=${productId}`);
  expect(codes).toMatch(new RegExp(`'-A,'\\+Voucher,${id},20[^,]+Z,20[^,]+Z\r\nB,'\\+Voucher,,,20`));
  const redemptions = await download(service, '/admin/exports/redemptions.csv');
  expect(redemptions).toContain(`${id},${accountId},${productId},'+Voucher,LOYALTY,1,1,COMPLETED,'-A,`);
});

test('exports of codes and redemptions give what their lists would, in that order', async () => {
  const tenant = await service.newTenant();
  const post = async (path: string, body: object) => (await service.rest('POST', path, body, tenant.adminToken)).body;
  const product = { name: 'Ticket', stockMode: 'CODES', pointsCost: 1 };
  const [{ id: productId }, { id: otherId }] = [
    await post('/admin/products', product),
    await post('/admin/products', product),
  ];
  for (const id of [productId, otherId]) {
    await load(service, 'code\nT-1\nT-2\nT-3\n', { type: 'PRODUCT_CODES', productId: id }, tenant);
  }
  const buyers = [];
  for (const id of [productId, productId, otherId]) {
    const { id: accountId } = await post('/accounts', {});
    await post(`/admin/accounts/${accountId}/points/adjust`, { amount: 1, reason: 'A gift.' });
    await post(`/loyalty/products/${id}/redeem`, { accountId });
    buyers.push(accountId);
  }
  const rows = async (path: string, asked: Record<string, string>) => {
    const text = await download(service, `/admin/exports/${path}?${new URLSearchParams(asked)}`, tenant.adminToken);
    return text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','));
  };
  const where = (field: string, value: unknown) => JSON.stringify({ filters: [{ field, value }] });
  const codes = async (asked: Record<string, string>) =>
    (await rows('product-codes.csv', { productId, ...asked })).map(([code]) => code);
  expect(await codes({ filters: where('status', 'UNUSED') })).toEqual(['T-3']);
  expect(await codes({ orderBy: 'createdAt desc' })).toEqual(['T-3', 'T-2', 'T-1']);
  expect(await codes({ code: 'T-2' })).toEqual(['T-2']);
  const accounts = async (asked: Record<string, string>) =>
    (await rows('redemptions.csv', asked)).map(([, accountId]) => accountId);
  expect(await accounts({})).toEqual(buyers);
  expect(await accounts({ productId })).toEqual(buyers.slice(0, 2));
  expect(await accounts({ productId, orderBy: 'createdAt desc' })).toEqual(buyers.slice(0, 2).toReversed());
  expect(await accounts({ filters: where('accountId', buyers[2]) })).toEqual([buyers[2]]);
  const refused = await service.rest(
    'GET',
    `/admin/exports/redemptions.csv?filters=${encodeURIComponent(where('codes', 'T-1'))}`,
    undefined,
    tenant.adminToken,
  );
  expect(refused).toMatchObject({ status: 400 });
  const stranger = await service.newTenant();
  const path = `/admin/exports/redemptions.csv?productId=${productId}`;
  expect(await service.rest('GET', path, undefined, stranger.adminToken)).toMatchObject({ status: 404 });
});

test('an export that holds whole codes is entered into the audit log once, however many pages it has, and never with a code', async () => {
  const tenant = await service.newTenant();
  const { id: productId } = (
    await service.rest('POST', '/admin/products', { name: 'Card', stockMode: 'CODES' }, tenant.adminToken)
  ).body;
  const codes = Array.from({ length: 4_100 }, (_, index) => `CARD-${index}`);
  await load(service, `code\n${codes.join('\n')}\n`, { type: 'PRODUCT_CODES', productId }, tenant);
  const text = await download(service, `/admin/exports/product-codes.csv?productId=${productId}`, tenant.adminToken);
  expect(text.trimEnd().split('\r\n').length).toBe(4_101);
  await download(service, '/admin/exports/redemptions.csv', tenant.adminToken);
  const missing = `/admin/exports/product-codes.csv?productId=${crypto.randomUUID()}`;
  expect(await service.rest('GET', missing, undefined, tenant.adminToken)).toMatchObject({ status: 404 });
  const log = await service.rest('GET', '/admin/audit/paginated?page=1&limit=50', undefined, tenant.adminToken);
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
  const entries = log.body.rows.filter(({ operation }: any) => operation.startsWith('ExportAdminService'));
  expect(entries).toMatchObject([
    { operation: 'ExportAdminService.ExportRedemptions', resourceType: 'redemption' },
    { operation: 'ExportAdminService.ExportProductCodes', resourceType: 'product', resourceId: productId },
  ]);
  expect(JSON.stringify(entries)).not.toContain('CARD-');
});

test('an export is answered as a download, and its head alone on request', async () => {
  const head = await fetch(`${service.baseUrl}/admin/exports/accounts.csv`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${service.adminToken}` },
  });
  expect(head.headers.get('content-disposition')).toBe('attachment; filename="accounts.csv"');
  expect(head.headers.get('content-type')).toContain('text/csv');
  expect(await head.text()).toBe('');
});

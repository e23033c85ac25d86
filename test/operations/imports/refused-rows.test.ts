import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { ok } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { load } from './files.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const reasonsOf = async (id: string, token?: string) =>
  (await ok(service.rest('GET', `/admin/imports/${id}/refusals`, undefined, token))).rows;

test('the reasons are told with their values apart, that of most rows first, by the first five rows of each', async () => {
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
          ...{ line: 11, key: 'a-2', message: 'Its externalId stands in line 10 already.' },
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

test('fifty reasons at most are told, also of the release before, which kept them in English alone', async () => {
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

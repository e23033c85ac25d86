import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportWorker } from '../../../src/imports/worker/import-worker.ts';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { systemClock } from '../../../src/kernel/time/clock.ts';
import { startService, type TestService } from '../../support/service.ts';
import { accounts, createImport, ended, upload } from './files.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A second process on the same database. */
function anotherWorker() {
  const logger = pino({ level: 'silent' });
  return createImportWorker({
    db: service.db,
    dispatcher: { wake() {} },
    clock: systemClock,
    catalogs: createCatalogs(),
    logger,
    pollMs: 10,
  });
}

const file = (keys: readonly string[], name: string) =>
  `externalId,name\n${keys.map((key) => `${key},${name}\n`).join('')}`;

test('two files with the same accounts at once: each account is created once, and both files end whole', async () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `same-${index}`);
  const other = anotherWorker();
  other.start();
  const first = await createImport(service);
  const second = await createImport(service);
  await Promise.all([
    upload(service, first.uploadPath, file(keys, 'First')),
    upload(service, second.uploadPath, file(keys.toReversed(), 'Second')),
  ]);
  const reports = [await ended(service, first.id), await ended(service, second.id)];
  await other.stop();
  expect(reports).toMatchObject([
    { status: 'DONE', rowsRead: 20_000, rowsRefused: 0 },
    { status: 'DONE', rowsRead: 20_000, rowsRefused: 0 },
  ]);
  expect(reports[0].rowsCreated + reports[1].rowsCreated).toBe(20_000);
  const stored = await accounts(service);
  expect(keys.every((key) => ['First', 'Second'].includes(stored.get(key)?.name ?? ''))).toBe(true);
  expect(stored.size).toBe(20_000);
}, 120_000);

test('a process that is believed dead and is not cannot apply a row that its successor applies', async () => {
  const tenant = await service.newTenant();
  const keys = Array.from({ length: 60_000 }, (_, index) => `taken-${index}`);
  const { id, uploadPath } = await createImport(service, {}, tenant);
  await upload(service, uploadPath, file(keys, 'Once'), { token: tenant.adminToken });
  const other = anotherWorker();
  other.start();
  const rowsRead = async () =>
    (await service.rest('GET', `/admin/imports/${id}`, undefined, tenant.adminToken)).body.rowsRead as number;
  // The working process is declared dead in the middle of its work each time, and the other takes over.
  for (const wanted of [1, 20_000, 40_000]) {
    await expect.poll(rowsRead, { timeout: 30_000, interval: 5 }).toBeGreaterThanOrEqual(wanted);
    await service.db.unitOfWork(tenant.clientId, (uow) =>
      // The statement of a successor's claim, at a time when a batch of the other is likely in progress.
      uow.query(
        `update csv_import set runner = gen_random_uuid(), lease_until = clock_timestamp()
          where client_id = $1 and status = 'RUNNING'`,
        [tenant.clientId],
      ),
    );
  }
  expect(await ended(service, id, tenant)).toMatchObject({
    status: 'DONE',
    rowsTotal: keys.length,
    rowsCreated: keys.length,
    rowsUnchanged: 0,
  });
  await other.stop();
  expect((await accounts(service, tenant)).size).toBe(keys.length);
}, 120_000);

test('a file of which the process dies again and again without getting on is given up, and says so', async () => {
  const tenant = await service.newTenant();
  const { id, uploadPath } = await createImport(service, {}, tenant);
  await upload(service, `${uploadPath}?more=true`, 'externalId\nann\n', { token: tenant.adminToken });
  const afterDeaths = (failures: number) =>
    service.db.unitOfWork(tenant.clientId, (uow) =>
      // The state after the death of the last of these processes.
      uow.query(
        `update csv_import
            set status = 'RUNNING', runner = gen_random_uuid(), failures = $2, lease_until = clock_timestamp()
          where client_id = $1`,
        [tenant.clientId, failures - 1],
      ),
    );
  await afterDeaths(5);
  expect(await ended(service, id, tenant)).toMatchObject({
    status: 'FAILED',
    rowsRead: 0,
    error: expect.stringContaining('The service failed to go on'),
  });
  expect((await accounts(service, tenant)).size).toBe(0);

  const another = await createImport(service, {}, tenant);
  await upload(service, `${another.uploadPath}?more=true`, 'externalId\nann\n', { token: tenant.adminToken });
  await service.db.unitOfWork(tenant.clientId, (uow) =>
    uow.query(`delete from csv_import where client_id = $1 and id = $2`, [tenant.clientId, id]),
  );
  await afterDeaths(4);
  expect(await ended(service, another.id, tenant)).toMatchObject({ status: 'DONE', rowsCreated: 1 });
}, 60_000);

test('a cancelled import stops between two batches, and what it applied is reported', async () => {
  const tenant = await service.newTenant();
  const keys = Array.from({ length: 60_000 }, (_, index) => `stopped-${index}`);
  const { id, uploadPath } = await createImport(service, {}, tenant);
  await upload(service, uploadPath, file(keys, 'Some'), { token: tenant.adminToken });
  const asked = (method: string, path: string) => service.rest(method, path, undefined, tenant.adminToken);
  const rowsRead = async () => (await asked('GET', `/admin/imports/${id}`)).body.rowsRead;
  await expect.poll(rowsRead, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
  const { body } = await asked('POST', `/admin/imports/${id}/cancel`);
  expect(body).toMatchObject({ status: 'CANCELLED', rowsTotal: keys.length });
  expect(body.rowsRead).toBeLessThan(keys.length);
  await service.app.close();
  expect((await accounts(service, tenant)).size).toBe(body.rowsRead);
}, 120_000);

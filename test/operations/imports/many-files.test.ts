import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportWorker } from '../../../src/imports/worker/import-worker.ts';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { systemClock } from '../../../src/kernel/time/clock.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { createImport, ended, upload } from './files.ts';

let service: TestService;

beforeAll(async () => {
  // Only the test's worker loads files.
  service = await startService({ importWorker: () => ({ start() {}, wake() {}, async stop() {} }) });
});
afterAll(() => service.close());

/** Uploads files that then wait. Returns the ids of their imports. */
async function queueFiles(tenant: Tenant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let file = 0; file < count; file += 1) {
    const { id, uploadPath } = await createImport(service, {}, tenant);
    await upload(service, uploadPath, `externalId\nann-${file}\n`, { token: tenant.adminToken });
    ids.push(id);
  }
  return ids;
}

test('the one file of a client waits for one file of each other client at most, however many they have', async () => {
  // The number of busy clients equals that of concurrent files. The id of the quiet client's import sorts last, too.
  const noisy = [await service.newTenant(), await service.newTenant()];
  const quiet = await service.newTenant();
  const waiting = await Promise.all([...noisy.map((tenant) => queueFiles(tenant, 4)), queueFiles(quiet, 1)]);
  const begun: string[] = [];
  const logger = pino({}, { write: (line: string) => void (line.includes('begins') && begun.push(line)) });
  const worker = createImportWorker({
    db: service.db,
    dispatcher: { wake() {} },
    clock: systemClock,
    catalogs: createCatalogs(),
    logger,
  });
  worker.start();
  const tenants = [...noisy, quiet];
  for (const [index, ids] of waiting.entries()) for (const id of ids) await ended(service, id, tenants[index]);
  await worker.stop();
  const clientIds = begun.map((line) => JSON.parse(line).clientId as string);
  expect(clientIds).toHaveLength(9);
  // Two are claimed together, and the second may report first. Without fairness, the quiet one would be last.
  expect(clientIds.slice(0, 4)).toContain(quiet.clientId);
});

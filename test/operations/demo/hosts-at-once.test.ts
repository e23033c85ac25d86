import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import { type ServiceProcess, startServiceProcess } from '../../faults/support/service-process.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

const HOSTS = 3;

let database: TestDatabase;
let folders: string[];
let hosts: ServiceProcess[] = [];

beforeAll(async () => {
  database = await testDatabase();
  folders = await Promise.all(
    Array.from({ length: HOSTS }, () => mkdtemp(join(tmpdir(), `laurel-host-${randomBytes(3).toString('hex')}-`))),
  );
});
afterAll(async () => {
  // The search covers the logs, which announce the demo without its keys.
  await Promise.all(hosts.map((host) => host.end('SIGKILL')));
  await database.drop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** The result of a host: it created the demo, or found it complete. */
const isSettled = ({ log }: ServiceProcess) =>
  log.some((line) => line.includes('the demo is ready') || line.includes('no demo is made here'));

const names = (clientId: string, table: string) =>
  database.db.unitOfWork(clientId, (uow) => uow.query(`select 1 from ${table} where client_id = $1`, [clientId]));

test(
  'three hosts that start at once on an empty database make one demo, and all of them serve',
  { timeout: 90_000 },
  async () => {
    hosts = await Promise.all(
      folders.map((folder) => startServiceProcess(database.url, { env: { LAUREL_DATA: folder, LAUREL_DEMO: 'true' } })),
    );
    await expect.poll(() => hosts.filter(isSettled).length, { timeout: 60_000 }).toBe(HOSTS);

    const written = await Promise.all(
      folders.map((folder) => readFile(join(folder, 'demo.json'), 'utf8').catch(() => undefined)),
    );
    expect(written.filter((file) => file !== undefined)).toHaveLength(1);
    const demo = JSON.parse(written.find((file) => file !== undefined)!);
    const clients = await database.db.systemUnitOfWork((uow) => uow.query(`select id, name from client`));
    expect(clients).toEqual([{ id: demo.clientId, name: 'Demo shop' }]);
    for (const [table, count] of Object.entries({ campaign: 1, product: 1, product_code: 50, console_user: 1 }))
      expect(await names(demo.clientId, table), table).toHaveLength(count);

    for (const { baseUrl } of hosts) {
      expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
      const answer = await fetch(`${baseUrl}/gamification/triggers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL' }),
      });
      expect(answer.status).toBe(200);
    }
    expect(await findDifferences(database.db)).toEqual([]);
  },
);

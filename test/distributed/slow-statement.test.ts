import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerProcess } from '../../src/persistence/connections/server-process.ts';
import { askServer } from '../../src/persistence/postgres/server-activity.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('a statement that a node works on keeps its connection: its process is busy, though it waits for the answer of the node', async () => {
  const server = await askServer({ url: service.databaseUrl, timeoutMs: 5_000 });
  try {
    await service.db.unitOfWork(service.clientId, async (uow) => {
      const own = await uow.query<ServerProcess>('select pg_backend_pid() as pid, now()::text as since');
      const stateIs = (activity: string) =>
        expect.poll(() => server.of(own), { interval: 20, timeout: 3_000 }).toEqual([activity]);
      await stateIs('waiting');
      const slow = uow.query('select pg_sleep(4) from client where id = $1', [service.clientId]);
      await stateIs('busy');
      expect(await slow).toHaveLength(1);
      await stateIs('waiting');
    });
  } finally {
    server.close();
  }
});

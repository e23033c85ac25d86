import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesOf } from '../../src/commands/verify.ts';
import { RELEASES } from '../../src/persistence/migrating/own-migrations.ts';
import { startServiceProcess } from '../faults/support/service-process.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { type Played, releasedDatabase } from '../support/released-database.ts';
import { releasedService } from '../support/released-service.ts';
import type { Rest, TestService } from '../support/service.ts';

describe('metrics', () => {
  let database: TestDatabase;
  let shown: ReadonlySet<string | undefined>;

  // The command, because it creates the components with separate metrics.
  beforeAll(async () => {
    database = await testDatabase();
    const served = await startServiceProcess(database.url);
    const text = await (await fetch(`${served.baseUrl}/metrics`)).text();
    shown = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    await served.end('SIGTERM');
  }, 60_000);
  afterAll(() => database.drop());

  test.each(RELEASES)('that $version showed are all shown', async ({ version }) => {
    const file = new URL(`../fixtures/v${version}/metrics.json`, import.meta.url);
    const released = JSON.parse(await readFile(file, 'utf8')) as string[];
    expect(released.filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe.each(RELEASES)('of $version', ({ version }) => {
  let service: TestService;
  let played: Played;
  let rest: Rest;

  beforeAll(async () => {
    const released = await releasedDatabase(`v${version}`);
    played = released.played;
    ({ service, rest } = await releasedService(released));
  }, 60_000);
  afterAll(() => service.close());

  describe('a database', () => {
    test('has exact accounts after its migration', async () => {
      expect(await differencesOf(service.db, played.clientId)).toEqual([]);
    });

    test('applies the asynchronous event that had been accepted', async () => {
      await expect
        .poll(async () => {
          const { body } = await rest('GET', '/v1/gamification/missions/progress/cleo?idType=EXTERNAL');
          return body.find(({ name }: { name: string }) => name === 'Come back three times')?.progress;
        })
        .toBe(2);
    });

    test('keeps its dead trigger, which can be replayed', async () => {
      const { body } = await rest('GET', '/admin/dead-triggers/paginated?page=1&limit=10');
      expect(body.rows).toMatchObject([{ operationId: played.deadTrigger.body['operationId'] }]);
      expect(await rest('POST', `/admin/dead-triggers/${body.rows[0].id}/replay`)).toMatchObject({ status: 200 });
      await expect
        .poll(async () => (await rest('GET', '/admin/dead-triggers/paginated?page=1&limit=10')).body.totalRows)
        .toBe(0);
    });

    test('still reads its webhook secret', async () => {
      expect(await rest('GET', '/webhooks/rewards')).toMatchObject({
        status: 200,
        body: { authenticationValue: '••••ture' },
      });
    });
  });

  describe('a call that it has answered', () => {
    test('is answered the same when it is made again, whatever it was, and changes nothing', async () => {
      const before = await pointsOfAda();
      for (const { path, body, status, answer } of played.operations) {
        const again = await rest('POST', path, body);
        expect(again, path).toMatchObject(answer === null ? { status } : { status, body: answer });
      }
      expect(await pointsOfAda()).toEqual(before);
      expect(await differencesOf(service.db, played.clientId)).toEqual([]);
    });

    test('is answered byte for byte where something waited for stock, which stands among its rewards', async () => {
      const waited = played.operations.filter(({ answer }) => JSON.stringify(answer).includes('PENDING_STOCK'));
      expect(waited.map(({ path }) => path.replace(/[0-9a-f-]{36}/, '{id}')).toSorted()).toEqual([
        '/gamification/campaigns/{id}/claim',
        '/gamification/chests/{id}/open',
        '/gamification/triggers',
      ]);
      for (const { path, body, answer } of waited) {
        expect(JSON.stringify((await rest('POST', path, body)).body), path).toBe(JSON.stringify(answer));
      }
    });

    test.each(['/gamification/triggers', '/loyalty/products/', '/marketplace/publications/freeze'])(
      'is refused under its operation id with other content: %s',
      async (start) => {
        const { path, body } = played.operations.find((call) => call.path.startsWith(start))!;
        const other = { ...body, accountId: '01990000-0000-7000-8000-000000000000', idType: 'INTERNAL' };
        expect(await rest('POST', path, other)).toMatchObject({ status: 400, body: { code: 'OPERATION_ID_REUSED' } });
      },
    );
  });

  async function pointsOfAda(): Promise<unknown> {
    return (await rest('GET', '/loyalty/accounts/ada/points?idType=EXTERNAL')).body;
  }
});

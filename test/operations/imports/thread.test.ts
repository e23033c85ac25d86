import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startImportThread } from '../../../src/commands/serving/start-import-thread.ts';
import { createThreadedImportWorker } from '../../../src/imports/worker/threaded-import-worker.ts';
import { newGame, newProduct } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { accounts, createImport, ended, load, upload } from './files.ts';

let service: TestService;

/** The threads that the service has started, and the ended ones. */
const started: Worker[] = [];
const endings: Promise<void>[] = [];

/** The clients for which waiting webhooks were reported. */
const woken: string[] = [];

/** A memory limit so small that the next thread cannot even open the database. */
const TOO_LITTLE = { maxOldGenerationSizeMb: 6, maxYoungGenerationSizeMb: 1 };
let isNextTooSmall = false;

beforeAll(async () => {
  service = await startService({
    importWorker: (databaseUrl, { db, dispatcher, logger }) =>
      createThreadedImportWorker({
        db,
        logger,
        dispatcher: {
          wake(clientId) {
            woken.push(clientId);
            dispatcher.wake(clientId);
          },
        },
        startThread() {
          const settings = {
            databaseUrl,
            preparedStatements: true,
            logLevel: 'silent',
            journal: 'byOperation',
          } as const;
          const thread = isNextTooSmall ? startImportThread(settings, TOO_LITTLE) : startImportThread(settings);
          isNextTooSmall = false;
          started.push(thread);
          endings.push(new Promise((resolve) => void thread.once('exit', () => resolve())));
          return thread;
        },
      }),
  });
});
afterEach(() => Promise.all(endings));
afterAll(() => service.close());

test('a thread loads what waits, ends when nothing does, and another one loads what comes then', async () => {
  const before = started.length;
  const ofAnother = await service.newTenant();
  const reports = await Promise.all([
    load(service, 'externalId,name\nann,Ann\nbob,Bob\n'),
    load(service, 'externalId\ncarl\n', {}, ofAnother),
  ]);
  expect(reports).toMatchObject([
    { status: 'DONE', rowsCreated: 2 },
    { status: 'DONE', rowsCreated: 1 },
  ]);
  await Promise.all(endings);
  const between = started.length;
  expect(between).toBeGreaterThan(before);
  expect(await load(service, 'externalId,name\nann,Anna\n')).toMatchObject({ status: 'DONE', rowsUpdated: 1 });
  expect(started.length).toBe(between + 1);
  expect((await accounts(service)).get('ann')?.name).toBe('Anna');
});

test('anyone who a file of codes delivers to gets the webhook at once: the dispatcher is woken', async () => {
  const productId = await newProduct(service, []);
  const reward = { name: 'Ticket', type: 'PRODUCTS', amount: 1, productId };
  const mission = { programmaticCode: 'BUY', target: 1 };
  await newGame(service, { codes: { BUY: 'SINGLE' }, missions: [mission], rewards: [reward] });
  const event = { programmaticCode: 'BUY', accountId: 'waiting', idType: 'EXTERNAL' };
  expect((await service.rest('POST', '/gamification/triggers', event)).status).toBe(200);
  woken.length = 0;
  expect(await load(service, 'code\nT-1\n', { type: 'PRODUCT_CODES', productId })).toMatchObject({ rowsCreated: 1 });
  await expect.poll(() => woken).toContain(service.clientId);
  const rewards = await service.rest('GET', '/v1/gamification/missions/my-rewards/waiting?idType=EXTERNAL');
  expect(rewards.body).toMatchObject([{ status: 'DELIVERED', codes: [{ code: 'T-1' }] }]);
});

test('a thread that dies for want of memory does not take the service with it, and the next one loads the file', async () => {
  isNextTooSmall = true;
  const { id, uploadPath } = await createImport(service);
  await upload(service, uploadPath, 'externalId\ndora\n');
  expect(await ended(service, id)).toMatchObject({ status: 'DONE', rowsCreated: 1 });
  const dead = service.log.filter((line) => line.includes('the thread that loads files has died'));
  expect(dead.map((line) => JSON.parse(line).err.code)).toEqual(['ERR_WORKER_OUT_OF_MEMORY']);
});

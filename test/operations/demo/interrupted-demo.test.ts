import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type App, startApp } from '../../../src/app/app.ts';
import { provisionDemo } from '../../../src/commands/demo.ts';
import { findDifferences } from '../../../src/commands/verify.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import { systemClock } from '../../../src/kernel/time/clock.ts';
import type { Database } from '../../../src/persistence/database.ts';
import type { Operations } from '../../../src/server/rpc/operations.ts';
import { shortOrLong } from '../../faults/bounds.ts';
import { testDatabase } from '../../support/database.ts';

type Stage = { readonly app: App; readonly db: Database; readonly url: string; readonly dataFolder: string };

/** An empty database, a service on it, and a folder for its files. */
async function onStage(play: (stage: Stage) => Promise<void>): Promise<void> {
  const { db, url, drop } = await testDatabase();
  const dataFolder = await mkdtemp(join(tmpdir(), 'laurel-demo-'));
  const app = await startApp({
    db,
    secrets: createSecretBox([randomBytes(32)]),
    logger: pino({ level: 'silent' }),
    clock: systemClock,
    server: { host: '127.0.0.1', port: 0 },
    events: { triggerConcurrency: 2 },
    webhooks: { allowPrivate: true },
  });
  try {
    await play({ app, db, url, dataFolder });
  } finally {
    await app.close();
    await drop();
    await rm(dataFolder, { recursive: true });
  }
}

/** The operations of a process that dies after `calls` calls, before it gets the answer to the last. */
function dyingAfter(operations: Operations, calls: number): Operations {
  let made = 0;
  const invoke: Operations['invoke'] = async (...call) => {
    if (made > calls) throw new Error('The process is dead.');
    made += 1;
    const answer = await operations.invoke(...call);
    if (made > calls) throw new Error('The process died.');
    return answer;
  };
  return { ...operations, invoke };
}

/** Checks that the demo has all its resources once, and that both credentials work. */
async function expectWhole({ app, db, dataFolder }: Stage): Promise<void> {
  const demo = JSON.parse(await readFile(join(dataFolder, 'demo.json'), 'utf8'));
  const get = async (path: string, token: string) => {
    const answer = await fetch(`http://127.0.0.1:${app.port}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return answer.json();
  };
  const namesOf = async (list: string, key = 'name') => {
    const { rows } = await get(`/admin/${list}/paginated?page=1&limit=100`, demo.accessToken);
    return rows.map((row: Record<string, string>) => row[key]).toSorted();
  };
  expect((await get('/gamification/triggers', demo.apiKey)).length).toBe(3);
  expect(await namesOf('clients')).toEqual(['Demo shop']);
  expect(await namesOf('products')).toEqual(['Coffee coupon']);
  expect(await namesOf('rewards')).toEqual(['100 points', 'Coffee coupon']);
  expect(await namesOf('audiences')).toEqual(['Everyone']);
  expect(await namesOf('campaigns', 'status')).toEqual(['ACTIVE']);
  expect(await namesOf('publications', 'status')).toEqual(['PUBLISHED_ON_MARKETPLACE']);
  expect(await namesOf('users', 'email')).toEqual(['operator@example.com']);
  const counts = await db.unitOfWork(demo.clientId, (uow) =>
    uow.query(`select (select count(*)::int from product_code) as codes,
                      (select count(*)::int from credential where revoked_at is null) as credentials`),
  );
  expect(counts).toEqual([{ codes: 50, credentials: 2 }]);
  expect(await findDifferences(db)).toEqual([]);
}

/** More calls than the demo needs: the last runs are not interrupted. */
const CALLS = 26;

/** Every fifth step, and all steps in the long form. */
const STEP = shortOrLong(5, 1);

test(
  'a demo that was interrupted after any of its steps is completed at the next start',
  { timeout: 120_000 },
  async () => {
    let whole = 0;
    for (let calls = 0; calls < CALLS; calls += STEP) {
      await onStage(async (stage) => {
        const { app } = stage;
        const first = provisionDemo(stage, dyingAfter(app.operations, calls), stage, app.port);
        const died = await first.then(
          () => false,
          () => true,
        );
        if (!died) whole += 1;
        // A reader of the file takes its keys.
        const written = await readFile(join(stage.dataFolder, 'demo.json'), 'utf8').catch(() => undefined);
        expect(written !== undefined, `after ${calls} calls`).toBe(!died);
        const demo = await provisionDemo(stage, app.operations, stage, app.port);
        expect(demo, `after ${calls} calls`).toMatchObject({ apiKey: expect.stringMatching(/^lrl_key_/) });
        await expectWhole(stage);
      });
    }
    expect(whole).toBeGreaterThan(0);
  },
);

test('a whole demo stays as it is, also where nobody has written down its keys, and others are no demo', async () => {
  await onStage(async (stage) => {
    const { app, db } = stage;
    const demo = await provisionDemo(stage, app.operations, stage, app.port);
    expect(await provisionDemo(stage, app.operations, stage, app.port)).toEqual(demo);
    await rm(join(stage.dataFolder, 'demo.json'));
    expect(await provisionDemo(stage, app.operations, stage, app.port)).toBeUndefined();
    await db.systemUnitOfWork((uow) => uow.query(`update client set name = 'Mine'`));
    await db.unitOfWork(demo!.clientId, (uow) =>
      uow.query('delete from console_user where client_id = $1', [uow.clientId]),
    );
    expect(await provisionDemo(stage, app.operations, stage, app.port)).toBeUndefined();
  });
});

import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startApp } from '../../src/app/app.ts';
import { serviceChecks } from '../../src/commands/serving/service-checks.ts';
import { readConfig } from '../../src/app/config.ts';
import { newToken } from '../../src/clients/credentials/token.ts';
import { entities } from '../../src/app/entities.ts';
import { systemClock } from '../../src/kernel/time/clock.ts';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import { inspect } from '../../src/persistence/checks/inspect.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { watchDatabase } from '../../src/persistence/watches/database-watch.ts';
import { startServiceProcess } from '../faults/support/service-process.ts';
import { laurel } from '../support/laurel.ts';
import { BROKEN, type Broken, settings } from './broken-databases.ts';
import { type BrokenStage, brokenStage } from './broken-stage.ts';

// Milliseconds: a server and its databases are created, and each command is a process.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** The id of an unknown client; the lookup runs all the same. */
const TOKEN = newToken('API_KEY', '00000000-0000-4000-8000-000000000000');

let stage: BrokenStage;

beforeAll(async () => {
  stage = await brokenStage('broken');
});
afterAll(() => stage.remove());

/** Passes a healthy database to `look`, which may break it, and deletes it afterwards. */
async function withFresh(broken: Broken | undefined, look: (url: string) => Promise<void>): Promise<void> {
  const url = await stage.fresh();
  try {
    await look(url);
  } finally {
    // A database that was not broken cannot be repaired.
    await stage.asSuperuser(stage.superuserUrl, broken?.undo ?? '').catch(() => {});
    await stage.drop(url);
  }
}

/** A service on the database at `url` with a watch that looks often, and the answer of its `/readyz`. */
async function serving(url: string) {
  const checks = await serviceChecks(readConfig(settings(url)));
  const logger = pino({ level: 'silent' });
  const db = await openDatabase({ url, entities, poolMax: 4 });
  let looks = 0;
  const look = () => {
    looks += 1;
    return inspect(url, checks);
  };
  const watch = watchDatabase({ inspect: look, logger, everyMs: 50 });
  const app = await startApp({
    db,
    logger,
    clock: systemClock,
    secrets: createSecretBox([Buffer.alloc(32)]),
    server: { host: '127.0.0.1', port: 0 },
    events: { triggerConcurrency: 1 },
    webhooks: { allowPrivate: true },
    watches: { database: watch },
  });
  return {
    looks: () => looks,
    async ready() {
      const answer = await fetch(`http://127.0.0.1:${app.port}/readyz`);
      const { reason } = (await answer.json()) as { reason?: string };
      return { status: answer.status, reason };
    },
    async close() {
      watch.stop();
      await app.close();
      await db.close();
    },
  };
}

test('a database that is well: the doctor says so, the service starts', async () => {
  await withFresh(undefined, async (url) => {
    const [doctor, served] = await Promise.all([laurel(['doctor'], settings(url)), laurel(['serve'], settings(url))]);
    expect(doctor.words).toContain('All is well');
    expect(doctor.code).toBe(0);
    expect(doctor.words).not.toContain('FAULT');
    expect(served.served).toBe(true);
  });
});

describe('the doctor reports it, and serve refuses to start and says what is wrong and what to do, where', () => {
  test.each(BROKEN)('$name', async (broken) => {
    await withFresh(broken, async (url) => {
      await stage.asSuperuser(url, broken.sql);
      const results = await Promise.all(['doctor', 'serve'].map((command) => laurel([command], settings(url, broken))));
      for (const ended of results) {
        expect(ended).toMatchObject({ served: false, code: 1 });
        expect(ended.words).toMatch(broken.problem);
        expect(ended.words).toMatch(broken.remedy);
        expect(ended.words).not.toContain(new URL(url).password);
      }
    });
  });
});

describe('the readiness of a service that runs says it, until it is put right, where', () => {
  test.each(BROKEN.filter(({ whileRunning }) => whileRunning))('$name', async (broken) => {
    await withFresh(broken, async (url) => {
      const service = await serving(url);
      try {
        expect((await service.ready()).status).toBe(200);
        await stage.asSuperuser(url, broken.sql);
        // A look during the change finds a part of it, and the next one all of it.
        await expect
          .poll(service.ready, { timeout: 10_000 })
          .toEqual({ status: 503, reason: expect.stringMatching(broken.problem) });
        expect((await service.ready()).reason).toMatch(broken.remedy);
        if (broken.undo === undefined) return;
        await stage.asSuperuser(stage.superuserUrl, broken.undo);
        await expect.poll(service.ready, { timeout: 10_000 }).toMatchObject({ status: 200 });
      } finally {
        await service.close();
      }
    });
  });

  test('calls fail: the process that serves looks at once, and says it long before the next look is due', async () => {
    await withFresh(undefined, async (url) => {
      const service = await startServiceProcess(url);
      const ready = async () => (await fetch(`${service.baseUrl}/readyz`)).json();
      expect(await ready()).toEqual({ status: 'ready' });
      await stage.asSuperuser(url, 'revoke select on credential from laurel_system');
      const call = () =>
        fetch(`${service.baseUrl}/v1/feed/account/ada`, { headers: { authorization: `Bearer ${TOKEN}` } });
      const begun = performance.now();
      expect((await call()).status).toBe(500);
      await expect.poll(ready, { timeout: 12_000 }).toMatchObject({ status: 'unready' });
      expect(performance.now() - begun).toBeLessThan(10_000);
      expect(await ready()).toMatchObject({ reason: expect.stringContaining('may not SELECT from credential') });
      await service.end('SIGKILL');
    });
  });

  test('a newer release migrates: the older one goes on until it is replaced', async () => {
    await withFresh(undefined, async (url) => {
      await stage.asSuperuser(url, `insert into migration (name, executed_at) values ('20991231000000-next', now())`);
      const verdicts = await inspect(url, await serviceChecks(readConfig(settings(url))));
      expect(verdicts.flatMap(({ findings }) => findings).map(({ severity }) => severity)).toEqual(['fault at start']);
      const service = await serving(url);
      await expect.poll(service.looks).toBeGreaterThan(2);
      expect((await service.ready()).status).toBe(200);
      await service.close();
    });
  });
});

test('several faults are all reported at once', async () => {
  await withFresh(undefined, async (url) => {
    await stage.asSuperuser(
      url,
      `alter table account no force row level security; drop policy own_client on campaign;
       revoke insert on reward from laurel_app; alter view account_search owner to laurel;`,
    );
    const { words, code } = await laurel(['serve'], settings(url));
    expect(code).toBe(1);
    for (const part of ['owner of account', 'campaign has no policy', 'INSERT into reward', 'belongs to laurel and']) {
      expect(words).toContain(part);
    }
  });
});

test.each([
  ['a server that does not run', (url: URL) => (url.port = '9'), /cannot be reached: .*ECONNREFUSED/],
  ['a database that does not exist', (url: URL) => (url.pathname = '/nowhere'), /no database nowhere/],
  ['a password that is wrong', (url: URL) => (url.password = 'guessed'), /does not let the login operator in/],
])('%s is reported by doctor and serve', async (_name, change, problem) => {
  await withFresh(undefined, async (whole) => {
    const url = new URL(whole);
    change(url);
    for (const command of ['doctor', 'serve']) {
      const ended = await laurel([command], settings(url.href));
      expect(ended).toMatchObject({ served: false, code: 1 });
      expect(ended.words).toMatch(problem);
    }
  });
});

test('a key that is lost for good is accepted by a setting, and reported as a warning', async () => {
  const another = { LAUREL_SECRET_KEYS: Buffer.alloc(32, 'another').toString('base64') };
  await withFresh(undefined, async (url) => {
    const env = settings(url, { env: { ...another, LAUREL_ACCEPT_LOST_SECRETS: 'true' } });
    const [doctor, served] = await Promise.all([laurel(['doctor'], env), laurel(['serve'], env)]);
    expect(doctor).toMatchObject({ code: 0, words: expect.stringContaining('warning secret keys') });
    expect(served).toMatchObject({ served: true, words: expect.stringContaining('1 webhook holds a secret') });
  });
});

test('a database that lost its rows is no database without differences', async () => {
  await withFresh(undefined, async (url) => {
    await stage.asSuperuser(url, 'delete from whole_dump; truncate client cascade');
    const ended = await laurel(['verify'], settings(url));
    expect(ended).toMatchObject({ code: 1, words: expect.stringContaining('holds no rows') });
  });
});

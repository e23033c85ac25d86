import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createPlayer, type Demo, type Player } from './player.ts';
import { prepareDemo } from './prepare-demo.ts';

/** A call that was made once, and its answer; a repeat must get the same answer. */
export type PlayedCall = {
  readonly path: string;
  readonly body: object;
  readonly status: number;
  readonly answer: unknown;
};

/** The calls made on a fresh database. */
export type PlayedDemo = {
  readonly clientId: string;
  /** The value of `LAUREL_SECRET_KEYS`; it protects this database only. */
  readonly secretKeys: string;
  /** Calls with an operation id that took effect. */
  readonly operations: PlayedCall[];
  /** Accepted asynchronous events without an effect: one waits, one is a dead trigger. */
  readonly waiting: PlayedCall;
  readonly deadTrigger: PlayedCall;
  /** The names of metrics at `/metrics`. */
  readonly metrics: string[];
};

const SECRET_KEYS = Buffer.from('a key of a fixture, no secret at').toString('base64');

/** Serves the demo on the database, makes one call of each kind that has an operation id, and kills the service. */
export async function playDemo(databaseUrl: string): Promise<PlayedDemo> {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-release-'));
  const service = startService(databaseUrl, folder);
  try {
    const demo = await demoOf(folder, service);
    const player = createPlayer(demo);
    const operations = await playOperations(player);
    const metrics = await metricNames(demo.baseUrl);
    return {
      clientId: demo.clientId,
      secretKeys: SECRET_KEYS,
      operations,
      ...(await playInbox(player, databaseUrl, service)),
      metrics,
    };
  } finally {
    service.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function startService(databaseUrl: string, folder: string): ChildProcess {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    LAUREL_DATA: folder,
    LAUREL_DEMO: 'true',
    LAUREL_MIGRATE: 'true',
    HOST: '127.0.0.1',
    LAUREL_SECRET_KEYS: SECRET_KEYS,
    LAUREL_ASYNC_ATTEMPTS: '1',
    PORT: '18099',
    LAUREL_LOG_LEVEL: 'warn',
    LAUREL_WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  return spawn(process.execPath, ['src/main.ts', 'serve'], { env, stdio: 'inherit' });
}

async function demoOf(folder: string, service: ChildProcess): Promise<Demo> {
  while (service.exitCode === null) {
    try {
      return JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as Demo;
    } catch {
      await sleep(100);
    }
  }
  throw new Error('The service has ended before it had provisioned the demo.');
}

async function playOperations(player: Player): Promise<PlayedCall[]> {
  const { call } = player;
  const { body: ada } = await call('/accounts/resolve', { externalId: 'ada' });
  await call(
    '/webhooks/rewards',
    {
      endpoint: 'http://127.0.0.1:9/rewards',
      authenticationMethodType: 'HEADER',
      authenticationMethodKey: 'X-Key',
      authenticationValue: 'value-of-a-fixture',
    },
    'PUT',
  );
  const world = await prepareDemo(player);
  const played: PlayedCall[] = [];
  const play = async (path: string, body: object) => {
    const { status, body: answer } = await call(path, body);
    played.push({ path, body, status, answer });
    return answer;
  };
  const trigger = (operationId: string, programmaticCode: string, more: object = {}) => ({
    programmaticCode,
    accountId: 'ada',
    idType: 'EXTERNAL',
    operationId,
    ...more,
  });
  await play('/gamification/triggers', trigger('login-1', 'LOGIN', { metadata: {} }));
  await play('/gamification/triggers', trigger('order-1', 'PURCHASE', { metadata: { amount: 12.5 } }));
  await play('/gamification/triggers', { programmaticCode: 'LOGIN', accountId: ada.id, operationId: 'login-2' });
  await play(
    '/gamification/triggers',
    trigger('login-3', 'LOGIN', { accountId: ada.id.toUpperCase(), idType: 'INTERNAL' }),
  );
  await play('/gamification/triggers', trigger('order-2', 'PURCHASE', { metadata: { amount: 1000.0001 } }));
  await play('/gamification/triggers', trigger('waits-for-stock', 'WAITS', {}));
  await play('/gamification/triggers', trigger('chest', 'CHEST', {}));
  await play('/gamification/triggers', trigger('nothing', 'REFERRAL', {}));
  await play('/gamification/triggers/async', trigger('async-1', 'LOGIN', { accountId: 'bob' }));
  await play('/gamification/triggers/batch', {
    triggers: [
      trigger('batch-1', 'LOGIN', { accountId: 'cleo' }),
      trigger('batch-2', 'PURCHASE', { accountId: 'cleo', metadata: { amount: 60 } }),
    ],
  });
  await play(`/admin/accounts/${ada.id}/points/adjust`, { amount: 1_000, reason: 'Fixture', operationId: 'adjust-1' });
  await play(`/gamification/campaigns/${world.campaignId}/claim`, {
    accountId: 'ada',
    idType: 'EXTERNAL',
    operationId: 'claim-1',
  });
  const chests = await call('/gamification/chests/account/ada?idType=EXTERNAL');
  await play(`/gamification/chests/${chests.body[0].id}/open`, { accountId: ada.id, operationId: 'open-1' });
  const redemption = await play(`/loyalty/products/${world.productId}/redeem`, {
    accountId: ada.id,
    quantity: 2,
    operationId: 'redeem-1',
  });
  await play(`/admin/redemptions/${redemption.id}/cancel`, { reason: 'Fixture', operationId: 'cancel-1' });
  await play('/marketplace/publications/freeze', {
    publicationId: world.publicationId,
    accountId: 'ada',
    idType: 'EXTERNAL',
    operationId: 'freeze-1',
  });
  await play(`/marketplace/publications/redeem/${world.publicationId}`, {
    accountId: 'ada',
    idType: 'EXTERNAL',
    operationId: 'buy-1',
  });
  await play('/marketplace/publications/freeze', {
    publicationId: world.publicationId,
    accountId: ada.id,
    operationId: 'freeze-2',
  });
  await call('/marketplace/publications/unfreeze', { publicationId: world.publicationId, accountId: ada.id });
  await play('/marketplace/publications/freeze', {
    publicationId: world.publicationId,
    accountId: ada.id,
    quantity: 3,
    ttlSeconds: 86_400,
    operationId: 'freeze-3',
  });
  await untilApplied(player);
  return played;
}

/** Waits for an accepted event, which is applied within moments. */
async function untilApplied({ call }: Player): Promise<void> {
  for (;;) {
    const { body } = await call('/accounts/bob?idType=EXTERNAL').catch(() => ({ body: undefined }));
    if (body) return;
    await sleep(50);
  }
}

/**
 * Sends two asynchronous events of one account, whose locked row makes them wait. While the first waits, the account is deleted. It is
 * restored after the event has failed for lack of it, so that a later replay finds it. The second event still waits when the service is
 * killed.
 */
async function playInbox({ call }: Player, databaseUrl: string, service: ChildProcess) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { body: cleo } = await call('/accounts/resolve', { externalId: 'cleo' });
  const accept = async (operationId: string): Promise<PlayedCall> => {
    const path = '/gamification/triggers/async';
    const body = { programmaticCode: 'LOGIN', accountId: cleo.id, idType: 'INTERNAL', operationId };
    const { status, body: answer } = await call(path, body);
    return { path, body, status, answer };
  };
  const hold = () => client.query(`begin; select 1 from account where external_id = 'cleo' for update`);
  try {
    await hold();
    const deadTrigger = await accept('dead-1');
    await client.query(`update account set deleted_at = now() where external_id = 'cleo'`);
    await client.query('commit');
    for (;;) {
      const { rows } = await client.query('select 1 from trigger_inbox where dead_at is not null');
      if (rows.length > 0) break;
      await sleep(200);
    }
    await client.query(`update account set deleted_at = null where external_id = 'cleo'`);
    await hold();
    const waiting = await accept('waiting-1');
    service.kill('SIGKILL');
    await once(service, 'exit');
    return { deadTrigger, waiting };
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

async function metricNames(baseUrl: string): Promise<string[]> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  return [...new Set(text.matchAll(/^# TYPE (\S+)/gm).map(([, name]) => name!))].toSorted((a, b) => a.localeCompare(b));
}

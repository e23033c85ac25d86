import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../faults/support/service-process.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type Rest, restAs, type Tenant } from '../support/service.ts';
import { type Mark, type MarkedGame, playMarkedGame } from './marked-game.ts';

const METRICS_TOKEN = 'metrics-2c1f6c5a8b7e4d90';
const SECRET_KEY = Buffer.alloc(32, 'log').toString('base64');

let database: TestDatabase;
let tenant: Tenant;
let rest: Rest;
let service: ServiceProcess;
let game: MarkedGame;
/** The whole output of the process on both streams, at the most detailed level. */
let written: string;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  service = await startServiceProcess(database.url, {
    env: { LAUREL_LOG_LEVEL: 'trace', LAUREL_METRICS_TOKEN: METRICS_TOKEN, LAUREL_SECRET_KEYS: SECRET_KEY },
  });
  rest = restAs(service.baseUrl, tenant);
  game = await playMarkedGame(rest, tenant);
  await sendBrokenHttp();
  await failUnforeseen();
  await service.end('SIGTERM');
  written = service.log.join('\n');
}, 60_000);
afterAll(async () => {
  await game?.close();
  await database.drop();
});

test('the log records all that was done, and what failed', () => {
  expect(written).toContain('laurel.v1.TriggerService/EmitTrigger');
  expect(written).toContain('webhook sent');
  expect(written).toContain('unforeseen error');
  expect(written).toContain('broken HTTP');
  expect(written).toContain('"stopped"');
});

test('no line holds a token, a password, a webhook secret or a product code', () => {
  expectNone([...game.credentials, ...game.codes]);
});

test('no line holds what is known of a person', () => {
  expectNone(game.personal);
});

test('no line holds a setting that is secret', () => {
  expectNone([
    { what: 'metrics token', value: METRICS_TOKEN },
    { what: 'secret key', value: SECRET_KEY },
    { what: 'password of the database', value: new URL(database.url).password },
  ]);
});

/** The value itself, and its forms in a URL, in JSON and in base64. */
function expectNone(marks: readonly Mark[]): void {
  for (const { what, value } of marks) {
    if (value === '') continue;
    const spellings = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), toBase64(value)];
    const lines = written.split('\n').filter((line) => spellings.some((spelling) => line.includes(spelling)));
    expect(lines, what).toEqual([]);
  }
}

/** The base64 part that is the same in every longer text in which the value begins at a multiple of three. */
function toBase64(value: string): string {
  return Buffer.from(value)
    .toString('base64')
    .replace(/.{0,4}=*$/, '');
}

/** A request that Node's parser refuses is logged by different code. */
async function sendBrokenHttp(): Promise<void> {
  const socket = connect(service.port, '127.0.0.1');
  socket.write(`GET /${tenant.apiKey} HTTP/9.9\r\nauthorization: Bearer ${tenant.apiKey}\r\n\r\n`);
  await text(socket);
}

/** Errors of PostgreSQL, which may quote the row, are logged in full: here every insert fails. */
async function failUnforeseen(): Promise<void> {
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  for (const table of ['account', 'credential', 'product_code', 'webhook_configuration', 'trigger_inbox']) {
    await owner.query(`alter table ${table} add constraint refused check (false) not valid`);
  }
  await owner.end();
  const [code] = game.codes;
  const [email, name] = game.personal;
  const failed = [
    await rest('POST', '/accounts', { externalId: name?.value, email: email?.value, name: name?.value }),
    await rest('POST', '/admin/credentials', { kind: 'API_KEY', name: 'Fails' }),
    await rest('PUT', '/webhooks/rewards', {
      endpoint: 'http://127.0.0.1:1/',
      authenticationMethodType: 'HEADER',
      authenticationMethodKey: 'X',
      authenticationValue: game.credentials.find(({ what }) => what.startsWith('authenticationValue'))?.value,
    }),
  ];
  expect(failed.map(({ status }) => status)).toEqual([500, 500, 500]);
  expect(code).toBeDefined();
}

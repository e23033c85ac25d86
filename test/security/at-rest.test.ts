import { hash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { type Mark, type MarkedGame, playMarkedGame } from './marked-game.ts';

/** The places where codes of products are stored in plain text on purpose: see docs/decisions/0040-what-is-encrypted-at-rest.md. */
const HOLDERS_OF_CODES = [
  'earned_reward',
  'operation',
  'outbox_message',
  'product_code',
  'redemption',
  'webhook_delivery',
  'webhook_retry',
];

let service: TestService;
let game: MarkedGame;
/** All rows of all tables as they are in a dump, bytes as hexadecimal digits. */
let dump: { table: string; row: string }[];

beforeAll(async () => {
  service = await startService();
  game = await playMarkedGame(service.rest, service);
  dump = await everyRow();
});
afterAll(async () => {
  await game.close();
  await service.close();
});

/** Without row-level security, which applies even to the owner, but not to a dump. */
async function everyRow(): Promise<{ table: string; row: string }[]> {
  const owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  const { rows: tables } = await owner.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const rows = [];
  for (const { name } of tables) {
    await owner.query(`alter table ${name} disable row level security`);
    const found = await owner.query<{ row: object }>(`select to_jsonb(x) as row from ${name} x`);
    rows.push(...found.rows.map(({ row }) => ({ table: name, row: JSON.stringify(row) })));
    await owner.query(`alter table ${name} enable row level security`);
  }
  await owner.end();
  return rows;
}

/** The forms in which a value could be stored without protection. */
function spellings({ value }: Mark): string[] {
  const bytes = Buffer.from(value);
  const base64 = [bytes.toString('base64'), bytes.toString('base64url')].map((text) => text.replace(/.{0,4}=*$/, ''));
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), bytes.toString('hex'), ...base64];
}

function tablesWith(mark: Mark): string[] {
  const found = dump.filter(({ row }) => spellings(mark).some((spelling) => row.includes(spelling)));
  return [...new Set(found.map(({ table }) => table))].toSorted();
}

test('the dump is whole: it holds what is no secret', () => {
  const named = game.personal.filter(({ what }) => ['e-mail', 'name of a person'].includes(what));
  expect(named.map(tablesWith)).toEqual(named.map(() => expect.arrayContaining(['account'])));
  expect(new Set(dump.map(({ table }) => table)).size).toBeGreaterThan(20);
});

test('no table holds a token, a password, a webhook secret or a signing secret', () => {
  const atRest = game.credentials.filter(({ what }) => what !== 'secret in the path of an endpoint');
  expect(atRest.map((mark) => [mark.what, tablesWith(mark)])).toEqual(atRest.map(({ what }) => [what, []]));
});

test('the address of an endpoint, which may hold a secret, stands in its configuration only', () => {
  const path = game.credentials.find(({ what }) => what === 'secret in the path of an endpoint')!;
  expect(tablesWith(path)).toEqual(['webhook_configuration', 'webhook_endpoint']);
});

test('codes of products stand where they are kept and where they were handed out, and nowhere else', () => {
  const tables = new Set(game.codes.flatMap(tablesWith));
  expect([...tables].filter((table) => !HOLDERS_OF_CODES.includes(table))).toEqual([]);
  expect(tables).toContain('product_code');
});

test('nothing that the dump holds opens the service', async () => {
  const webhooks = ['webhook_configuration', 'webhook_endpoint'];
  const tables = ['credential', 'console_user', 'console_session', 'console_token', ...webhooks];
  const texts = dump
    .filter(({ table }) => tables.includes(table))
    .flatMap(({ row }) => row.match(/[^"\s{},:[\]]{8,}/g) ?? [])
    .flatMap((text) => [text, text.replace(/^\\+x/, '')])
    .flatMap((text) => (/^[0-9a-f]{64}$/.test(text) ? [text, Buffer.from(text, 'hex').toString('base64')] : [text]));
  const tried = [...new Set(texts)];
  expect(tried.length).toBeGreaterThan(20);
  for (const text of tried) {
    const headers = {
      authorization: `Bearer ${encodeURI(text)}`,
      cookie: `laurel_session=${encodeURIComponent(text)}`,
    };
    const reading = await fetch(`${service.baseUrl}/admin/credentials/paginated?page=1&limit=1`, { headers });
    expect(reading.status, text).toBe(401);
    const renewing = await fetch(`${service.baseUrl}/admin/session/refresh`, { method: 'POST', headers });
    expect(renewing.status, text).toBe(401);
  }
});

test('tokens are kept as their SHA-256, passwords as argon2id with a salt of their own', () => {
  const credentials = dump.filter(({ table }) => table === 'credential').map(({ row }) => row);
  const digest = hash('sha256', service.apiKey, 'hex');
  expect(credentials.filter((row) => row.includes(digest))).toHaveLength(1);
  const users = dump.filter(({ table }) => table === 'console_user').map(({ row }) => row);
  expect(users).not.toEqual([]);
  for (const row of users) expect(row).toMatch(/\$argon2id\$v=19\$m=\d{5,},t=\d,p=\d\$/);
});

test('no two sealed secrets share a nonce', () => {
  const sealed = dump.flatMap(({ row }) => row.match(/v1\.[0-9a-f]{8}\.[\w-]+/g) ?? []);
  expect(sealed.length).toBeGreaterThanOrEqual(4);
  const nonces = sealed.map((text) =>
    Buffer.from(text.split('.')[2] ?? '', 'base64url')
      .subarray(0, 12)
      .toString('hex'),
  );
  expect(new Set(nonces).size).toBe(sealed.length);
});

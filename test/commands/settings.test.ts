import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/app/config.ts';
import { RELEASES } from '../../src/persistence/migrating/own-migrations.ts';

test('a setting of release 0.1 goes on working under the name that it had there', () => {
  expect(readConfig({ LAUREL_LANES: '3' }).triggerConcurrency).toBe(3);
  expect(readConfig({ LAUREL_LANES: '3', LAUREL_TRIGGER_CONCURRENCY: '4' }).triggerConcurrency).toBe(4);
  expect(() => readConfig({ LAUREL_LANES: 'many' })).toThrow('LAUREL_TRIGGER_CONCURRENCY');
});

test.each(RELEASES)('every setting of release $version is read, or is of another command', async ({ version }) => {
  const file = new URL(`../fixtures/v${version}/settings.json`, import.meta.url);
  const released = JSON.parse(await readFile(file, 'utf8')) as string[];
  const read = new Set<string>();
  const env = new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get(_, name) {
        read.add(String(name));
        return undefined;
      },
    },
  );
  readConfig(env);
  expect(released.filter((name) => !read.has(name))).toEqual([]);
});

const DATABASE_URL = 'postgres://laurel@db.example.com/laurel';

test('with NODE_ENV=production the embedded PostgreSQL and the demo are had only by asking for them', () => {
  expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(/DATABASE_URL.*LAUREL_EMBEDDED_POSTGRES=true/);
  const asked = { NODE_ENV: 'production', LAUREL_EMBEDDED_POSTGRES: 'true' };
  expect(readConfig(asked)).toMatchObject({ databaseUrl: undefined, demo: false, migrate: true });
  expect(readConfig({ ...asked, LAUREL_DEMO: 'true' }).demo).toBe(true);
  expect(readConfig(asked, { demo: true }).demo).toBe(true);
  expect(readConfig({ NODE_ENV: 'production', DATABASE_URL })).toMatchObject({ demo: false, migrate: false });
});

test('elsewhere both are there without asking, and can be declined', () => {
  for (const NODE_ENV of [undefined, '', 'development', 'test']) {
    expect(readConfig({ NODE_ENV })).toMatchObject({ databaseUrl: undefined, demo: true, migrate: true });
  }
  expect(() => readConfig({ LAUREL_EMBEDDED_POSTGRES: 'false' })).toThrow('DATABASE_URL');
});

test.each([
  ['LAUREL_CORS_ORIGIN', 'LAUREL_CORS_ORIGINS'],
  ['LAUREL_SECRET_KEY', 'LAUREL_SECRET_KEYS'],
  ['LAUREL_RATELIMIT', 'LAUREL_RATE_LIMIT'],
  ['LAUREL_TRUST_FOWRARDED', 'LAUREL_TRUST_FORWARDED'],
  ['LAUREL_DATE', 'LAUREL_DATA'],
  ['LAUREL_LANE', 'LAUREL_LANES'],
  // Names with missing words at the end.
  ['LAUREL_OPERATION_RETENTION', 'LAUREL_OPERATION_RETENTION_DAYS'],
  ['LAUREL_TLS_CERT', 'LAUREL_TLS_CERT_FILE'],
  // Names of Laurel without the prefix.
  ['LAUREL_PORT', 'PORT'],
  ['LAUREL_DATABASE_URL', 'DATABASE_URL'],
])('%s, which is nearly %s, stops the start with that suggestion', (wrong, right) => {
  const message = `${wrong} is no setting. Did you mean ${right}?`;
  expect(() => readConfig({ [wrong]: 'x' })).toThrow(message);
  // The message does not name the missing DATABASE_URL, because the suggestion is the useful part.
  expect(() => readConfig({ [wrong]: 'x', NODE_ENV: 'production' })).toThrow(message);
  expect(readConfig({ [wrong]: '' }).unknownSettings).toEqual([]);
});

test('all that are nearly settings are reported at once', () => {
  expect(() => readConfig({ LAUREL_SECRET_KEY: 'x', LAUREL_DEMOS: 'x' })).toThrow(
    /LAUREL_DEMO\?\n.*LAUREL_SECRET_KEYS\?/,
  );
});

test('another unknown one is reported and stops nothing, and what Kubernetes sets for a service "laurel" is none', () => {
  const kubernetes = {
    LAUREL_SERVICE_HOST: '10.0.0.7',
    LAUREL_SERVICE_PORT: '8080',
    LAUREL_SERVICE_PORT_GRPC: '8080',
    LAUREL_PORT: 'tcp://10.0.0.7:8080',
    LAUREL_PORT_8080_TCP: 'tcp://10.0.0.7:8080',
    LAUREL_PORT_8080_TCP_ADDR: '10.0.0.7',
    LAUREL_METRICS_PORT: 'tcp://10.0.0.8:8080',
    LAUREL_METRICS_SERVICE_HOST: '10.0.0.8',
  };
  const { unknownSettings } = readConfig({ ...kubernetes, LAUREL_COLOUR: 'red', LAUREL_POOL_SIZE: '3', OTHER: 'x' });
  expect(unknownSettings).toEqual(['LAUREL_COLOUR', 'LAUREL_POOL_SIZE']);
});

test('every setting has its row in docs/operations.md, and every row is a setting', async () => {
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, table = ''] = page.split(/^## /m);
  const rows = [...table.matchAll(/^\| (`[A-Z][^|]*)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name!),
  );
  const read = new Set<string>();
  readConfig(new Proxy<NodeJS.ProcessEnv>({}, { get: (_, name) => void read.add(String(name)) }));
  read.delete('LAUREL_LANES');
  expect(rows.toSorted()).toEqual([...read].toSorted());
});

test.each([
  ['https://shop.example.com/', 'https://shop.example.com'],
  ['https://Shop.example.com', 'https://shop.example.com'],
  ['https://shop.example.com:443', 'https://shop.example.com'],
  ['https://shop.example.com/path?x=1', 'https://shop.example.com'],
  ['shop.example.com', 'https://shop.example.com'],
  ['https://*.example.com', undefined],
  ['https://', undefined],
  ['https//shop.example.com', undefined],
  ['null', undefined],
  ['"https://shop.example.com"', undefined],
  ['https://a.example.com https://b.example.com', undefined],
  ['https://user@shop.example.com', undefined],
  ['true', undefined],
])('LAUREL_CORS_ORIGINS=%s, which no browser sends as an origin, stops the start', (text, meant) => {
  const refused = () => readConfig({ LAUREL_CORS_ORIGINS: `https://good.example.com, ${text}` });
  expect(refused).toThrow(`LAUREL_CORS_ORIGINS has '${text}'`);
  if (meant !== undefined) expect(refused).toThrow(`Did you mean ${meant}?`);
});

test('origins as browsers send them are taken, those of apps among them', () => {
  const origins = ['https://a.example.com', 'http://localhost:5173', 'http://[::1]:8080', 'capacitor://localhost', '*'];
  expect(readConfig({ LAUREL_CORS_ORIGINS: `${origins.join(', ')},` }).corsOrigins).toEqual(origins);
});

test('TLS has both files, or none', () => {
  const both = { LAUREL_TLS_CERT_FILE: '/etc/laurel/tls.crt', LAUREL_TLS_KEY_FILE: '/etc/laurel/tls.key' };
  expect(readConfig({}).tls).toBeUndefined();
  expect(readConfig(both).tls).toEqual({ certFile: '/etc/laurel/tls.crt', keyFile: '/etc/laurel/tls.key' });
  for (const name of Object.keys(both) as (keyof typeof both)[]) {
    expect(() => readConfig({ [name]: both[name] })).toThrow(/LAUREL_TLS_(CERT|KEY)_FILE as well/);
  }
});

import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  WebhookConfiguration_AuthenticationMethodType,
  WebhookConfiguration_Method,
  WebhookConfigurationSchema,
  type WebhookSettingsSchema,
} from '../../../gen/laurel/v1/webhook_pb.ts';
import { deleteWebhook } from '../../../src/webhooks/configuration/delete-webhook.ts';
import { getWebhook } from '../../../src/webhooks/configuration/get-webhook.ts';
import { newClient, type TestDatabase, testDatabase } from '../../support/database.ts';
import { callOf, openWebhooks, type Webhooks } from './fixture.ts';

type Settings = MessageInitShape<typeof WebhookSettingsSchema>;

const { HEADER, QUERY_PARAM } = WebhookConfiguration_AuthenticationMethodType;
const { POST, PUT, DELETE } = WebhookConfiguration_Method;

const endpoint = 'https://example.com/hook';
const header: Settings = {
  endpoint,
  authenticationMethodType: HEADER,
  authenticationMethodKey: 'Authorization',
  authenticationValue: 'Bearer abcdef123456',
};

let database: TestDatabase;
let webhooks: Webhooks;
let clientId: string;

beforeAll(async () => {
  database = await testDatabase();
  webhooks = openWebhooks(database.db, undefined, false);
  clientId = await newClient(database.db);
});
afterAll(() => database.drop());

test('GET answers 404 until something is stored, then what was stored with its secret masked', async () => {
  const own = await newClient(database.db);
  await expect(get(own)).rejects.toMatchObject({ kind: 'NOT_FOUND', code: 'WEBHOOK_NOT_FOUND' });
  const stored = await webhooks.put(own, { ...header, method: PUT });
  expect(stored).toMatchObject({
    endpoint,
    method: PUT,
    authenticationMethodType: HEADER,
    authenticationMethodKey: 'Authorization',
    authenticationValue: '••••3456',
    signed: false,
  });
  expect(await get(own)).toEqual(stored);
  await expect(get(await newClient(database.db))).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
});

test('the two types are configured apart', async () => {
  const own = await newClient(database.db);
  await webhooks.put(own, { endpoint: 'https://example.com/rewards' });
  await webhooks.put(own, { endpoint: 'https://example.com/status' }, 'PUBLICATION_STATUS');
  await deleteWebhook(callOf(webhooks.db, own), 'REWARDS', webhooks);
  await expect(get(own)).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
  const { configuration } = await getWebhook(callOf(webhooks.db, own), 'PUBLICATION_STATUS', webhooks);
  expect(configuration).toMatchObject({ endpoint: 'https://example.com/status', method: POST });
});

test('PUT replaces everything: what is not sent is not kept', async () => {
  const own = await newClient(database.db);
  const first = await webhooks.put(own, { ...header, method: DELETE, signed: true });
  const second = await webhooks.put(own, { endpoint: 'http://example.com/other' });
  expect(second).toMatchObject({ endpoint: 'http://example.com/other', method: POST, signed: false });
  expect([second.authenticationMethodType, second.authenticationMethodKey, second.authenticationValue]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(second.createdAt).toEqual(first.createdAt);
  expect(timestampDate(second.updatedAt!).getTime()).toBeGreaterThanOrEqual(timestampDate(first.updatedAt!).getTime());
});

test('DELETE may be repeated, and deletes only the own', async () => {
  const own = await newClient(database.db);
  const other = await newClient(database.db);
  await webhooks.put(own, { endpoint });
  await webhooks.put(other, { endpoint });
  for (let time = 1; time <= 3; time += 1)
    expect(await deleteWebhook(callOf(webhooks.db, own), 'REWARDS', webhooks)).toEqual({});
  await expect(get(own)).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
  expect(await get(other)).toMatchObject({ endpoint });
});

test('twenty simultaneous PUTs leave one configuration, and one signing secret was shown', async () => {
  const own = await newClient(database.db);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      webhooks.put(own, { endpoint: `https://example.com/${index}`, signed: true }),
    ),
  );
  expect(answers.filter(({ signingSecret }) => signingSecret !== undefined)).toHaveLength(1);
});

test('a signing secret is shown once; turning signing off and on makes another', async () => {
  const own = await newClient(database.db);
  const first = await webhooks.put(own, { endpoint, signed: true });
  expect(first.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect((await webhooks.put(own, { endpoint, signed: true })).signingSecret).toBeUndefined();
  expect((await get(own)).signingSecret).toBeUndefined();
  await webhooks.put(own, { endpoint });
  const next = await webhooks.put(own, { endpoint, signed: true });
  expect(next.signingSecret).toMatch(/^whsec_/);
  expect(next.signingSecret).not.toBe(first.signingSecret);
});

test('the mask of a short secret shows nothing of it', async () => {
  const own = await newClient(database.db);
  for (const [authenticationValue, mask] of [
    ['x', '••••'],
    ['1234567', '••••'],
    ['12345678', '••••5678'],
  ] as const) {
    expect((await webhooks.put(own, { ...header, authenticationValue })).authenticationValue).toBe(mask);
  }
});

test('the mask sent back keeps the secret of an unchanged endpoint, name and type only', async () => {
  const own = await newClient(database.db);
  const mask = (await webhooks.put(own, header)).authenticationValue!;
  for (const same of [endpoint, 'HTTPS://EXAMPLE.com:443/hook']) {
    const kept = await webhooks.put(own, { ...header, endpoint: same, method: PUT, authenticationValue: mask });
    expect(kept).toMatchObject({ endpoint: same, authenticationValue: '••••3456' });
  }
  for (const change of [
    { endpoint: 'https://example.com/other' },
    { endpoint: 'https://example.com/hook/' },
    { endpoint: 'https://example.com/Hook' },
    { endpoint: 'https://example.com/hook?to=another' },
    { endpoint: 'https://www.example.com/hook' },
    { endpoint: 'https://attacker.example/hook' },
    { endpoint: 'http://example.com/hook' },
    { endpoint: 'https://example.com:8443/hook' },
    { authenticationMethodKey: 'X-Other' },
    { authenticationMethodType: QUERY_PARAM },
    { authenticationValue: '••••9999' },
    { authenticationValue: '••••' },
  ]) {
    await expect(webhooks.put(own, { ...header, authenticationValue: mask, ...change })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/masked form.*send the secret itself/),
    });
  }
  await expect(webhooks.put(await newClient(database.db), { ...header, authenticationValue: mask })).rejects.toThrow(
    'masked',
  );
});

test.each([
  '',
  'example.com/hook',
  '//example.com/hook',
  '/hook',
  'https:',
  'https://',
  'https:/example.com',
  'https:example.com',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  ' https://example.com/',
  'https://example.com/ ',
  'https://exa mple.com/',
  'https://example.com/a b',
  'https://example.com/\r\nX-Evil: 1',
  'https://exa\tmple.com/',
  'https://example.com/\0',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://example.com/#fragment',
  'https://example.com/#',
  'https://example.com:99999/',
  'https://[::1',
])('the endpoint %j is refused', async (wrong) => {
  await expect(webhooks.put(clientId, { endpoint: wrong })).rejects.toMatchObject({
    kind: 'INVALID',
    code: 'BAD_REQUEST',
  });
});

test.each([
  'https://example.com',
  'HTTPS://EXAMPLE.COM/Hook?a=1&b=%20',
  'http://example.com:8080/hook',
  'https://bücher.example/ü',
  'https://8.8.8.8/hook',
  'https://[2606:4700::1111]/hook',
])('the endpoint %s is stored as it was sent', async (right) => {
  expect((await webhooks.put(clientId, { endpoint: right })).endpoint).toBe(right);
});

test.each<[string, Partial<Settings>]>([
  ['a key without a type', { authenticationMethodKey: 'X-Token' }],
  ['a value without a type', { authenticationValue: 'secret' }],
  ['HEADER without a key', { authenticationMethodType: HEADER, authenticationValue: 'secret' }],
  ['HEADER without a value', { authenticationMethodType: HEADER, authenticationMethodKey: 'X-Token' }],
  ['QUERY_PARAM without a key', { authenticationMethodType: QUERY_PARAM, authenticationValue: 'secret' }],
  ['QUERY_PARAM without a value', { authenticationMethodType: QUERY_PARAM, authenticationMethodKey: 'token' }],
  ...['X Token', 'X-Token:', 'X-Tökén', 'X\r\nY', 'X\0', '(x)', ':path', ''].map((key): [string, Partial<Settings>] => [
    `the header name ${JSON.stringify(key)}`,
    { ...header, authenticationMethodKey: key },
  ]),
  ...[
    'Host',
    'content-length',
    'CONTENT-TYPE',
    'Transfer-Encoding',
    'Connection',
    'Upgrade',
    'TE',
    'Expect',
    'webhook-id',
    'User-Agent',
    'traceparent',
  ].map((key): [string, Partial<Settings>] => [`the header ${key}`, { ...header, authenticationMethodKey: key }]),
  ...['a\r\nX-Evil: 1', 'a\nb', 'a\0b', ' a', 'a ', 'sécret', '•', ''].map((value): [string, Partial<Settings>] => [
    `the header value ${JSON.stringify(value)}`,
    { ...header, authenticationValue: value },
  ]),
  [
    'a control character in a query parameter',
    { ...header, authenticationMethodType: QUERY_PARAM, authenticationValue: 'a\0b' },
  ],
  ['half a surrogate pair', { ...header, authenticationMethodType: QUERY_PARAM, authenticationValue: 'a\ud800' }],
])('%s is refused', async (_, wrong) => {
  await expect(webhooks.put(clientId, { endpoint, ...wrong } as Settings)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

test.each([PUT, WebhookConfiguration_Method.PATCH, DELETE])(
  'publication-status takes POST only, not method %d',
  async (method) => {
    await expect(webhooks.put(clientId, { endpoint, method }, 'PUBLICATION_STATUS')).rejects.toThrow(
      'method must be POST',
    );
  },
);

test('a secret is encrypted where it is stored, and opens for no other client or type', async () => {
  const own = await newClient(database.db);
  await webhooks.put(own, { ...header, signed: true });
  const rows = await database.db.systemUnitOfWork((uow) =>
    uow.query<Record<string, unknown>>('select * from webhook_configuration where client_id = $1', [own]),
  );
  expect(JSON.stringify(rows)).not.toContain('abcdef');
  expect(JSON.stringify(rows)).not.toContain('whsec_');
  const other = await newClient(database.db);
  await webhooks.put(other, header);
  await database.db.systemUnitOfWork((uow) =>
    uow.query('update webhook_configuration set authentication_value_sealed = $2 where client_id = $1', [
      other,
      rows[0]?.['authentication_value_sealed'],
    ]),
  );
  // The read still answers, because the administrator must be able to correct the setting.
  expect((await get(other)).authenticationValue).toBe('••••');
});

async function get(client: string) {
  const { configuration } = await getWebhook(callOf(webhooks.db, client), 'REWARDS', webhooks);
  return create(WebhookConfigurationSchema, configuration);
}

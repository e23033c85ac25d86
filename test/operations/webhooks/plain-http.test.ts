import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import { WebhookConfiguration_AuthenticationMethodType } from '../../../gen/laurel/v1/webhook_pb.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { type RestAnswer, startService, type Tenant, type TestService } from '../../support/service.ts';
import { deliveriesOf, openWebhooks } from './fixture.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let service: TestService;
let strict: TestService;
let tenant: Tenant;
let receiver: Receiver;

let database: TestDatabase;
const secretKeys = [randomBytes(32)];

/** A service on the existing database. */
const start = (webhookRequireTls: boolean) =>
  startService({ database: { ...database, drop: async () => {} }, secretKeys, webhookRequireTls });

/** A service without the setting, and one beside it that requires TLS for secrets. */
beforeAll(async () => {
  database = await testDatabase();
  service = await start(false);
  strict = await start(true);
});
beforeEach(async () => {
  tenant = await service.newTenant();
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(async () => {
  await strict.close();
  await service.close();
  await database.drop();
});

const SECRET = {
  authenticationMethodType: 'HEADER',
  authenticationMethodKey: 'X-Token',
  authenticationValue: 'open sesame',
};
const WARNING = { code: 'SECRET_OVER_HTTP', message: expect.stringMatching(/https/) };
const types = ['rewards', 'publication-status'];

const call = (at: TestService, method: string, path: string, body?: object): Promise<RestAnswer> =>
  at.rest(method, path, body, tenant.adminToken);
const warningsIn = (at: TestService) =>
  at.log.map((line) => JSON.parse(line)).filter(({ msg, level }) => level === 40 && /plain http/.test(msg));

describe.each(types)('a secret of the %s webhook over plain http', (type) => {
  const path = `/webhooks/${type}`;

  test('is warned of where it is stored and where it is read, and in the log without path or secret', async () => {
    const before = warningsIn(service).length;
    const endpoint = 'http://hooks.example.com:8080/some/path?and=query';
    const stored = await call(service, 'PUT', path, { endpoint, ...SECRET });
    expect(stored).toMatchObject({ status: 200, body: { endpoint, warnings: [WARNING] } });
    expect(await call(service, 'GET', path)).toMatchObject({ status: 200, body: { warnings: [WARNING] } });
    const [line, ...more] = warningsIn(service).slice(before);
    expect(more).toEqual([]);
    expect(line).toMatchObject({ clientId: tenant.clientId, target: 'http://hooks.example.com:8080' });
    expect(JSON.stringify(line)).not.toMatch(/some|query|sesame/);
  });

  test('is not warned of over https, nor is plain http without a secret', async () => {
    const before = warningsIn(service).length;
    for (const settings of [
      { endpoint: 'https://hooks.example.com/', ...SECRET },
      { endpoint: 'http://hooks.example.com/' },
    ]) {
      expect(await call(service, 'PUT', path, settings)).toMatchObject({ status: 200, body: { warnings: [] } });
      expect(await call(service, 'GET', path)).toMatchObject({ status: 200, body: { warnings: [] } });
    }
    expect(warningsIn(service)).toHaveLength(before);
  });

  test('is refused where TLS is required, in either method, and nothing is stored', async () => {
    for (const authenticationMethodType of ['HEADER', 'QUERY_PARAM']) {
      const settings = { endpoint: 'HTTP://hooks.example.com/', ...SECRET, authenticationMethodType };
      expect(await call(strict, 'PUT', path, settings)).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST', message: expect.stringMatching(/endpoint.*https.*authenticationValue/) },
      });
    }
    expect(await call(strict, 'GET', path)).toMatchObject({ status: 404 });
    for (const settings of [
      { endpoint: 'https://hooks.example.com/', ...SECRET },
      { endpoint: 'http://hooks.example.com/' },
    ]) {
      expect(await call(strict, 'PUT', path, settings)).toMatchObject({ status: 200 });
    }
  });

  test('that was stored before TLS was required is not sent, neither by a test', async () => {
    await call(service, 'PUT', path, { endpoint: receiver.url, ...SECRET });
    expect(await call(strict, 'POST', `${path}/test`)).toMatchObject({ status: 200, body: { success: false } });
    expect(receiver.received).toEqual([]);
    expect(await call(service, 'POST', `${path}/test`)).toMatchObject({ status: 200, body: { success: true } });
    expect(
      await call(strict, 'PUT', path, { endpoint: receiver.url, ...SECRET, authenticationValue: '••••same' }),
    ).toMatchObject({ status: 400 });
    expect((await receiver.got(1))[0]!.headers['x-token']).toBe('open sesame');
  });
});

test('a process names at its start what sends a secret over plain http, without path or secret', async () => {
  await call(service, 'PUT', '/webhooks/rewards', { endpoint: 'http://hooks.example.com/some/path', ...SECRET });
  for (const [requireTls, words] of [
    [false, 'set https endpoints'],
    [true, 'LAUREL_WEBHOOK_REQUIRE_TLS'],
  ] as const) {
    const another = await start(requireTls);
    await expect.poll(() => warningsIn(another)).toHaveLength(1);
    const [line] = warningsIn(another);
    await another.close();
    expect(line.msg).toContain(words);
    expect(line.count).toBeGreaterThanOrEqual(1);
    const own = { clientId: tenant.clientId, type: 'REWARDS', target: 'http://hooks.example.com' };
    expect(line.webhooks).toContainEqual(own);
    expect(JSON.stringify(line)).not.toMatch(/some|sesame/);
  }
});

test('what was stored before TLS was required and is due now is not sent, and the delivery log says why', async () => {
  // Outside the services, whose dispatchers would send it too.
  const { db, drop } = await testDatabase();
  const keys = [randomBytes(32)];
  const before = openWebhooks(db, keys);
  const after = openWebhooks(db, keys, true, true);
  const { HEADER } = WebhookConfiguration_AuthenticationMethodType;
  const secret = { authenticationMethodKey: 'X-Token', authenticationValue: 'open sesame' };
  const { clientId } = await before.configured(
    { ...secret, authenticationMethodType: HEADER },
    undefined,
    '/',
    receiver,
  );
  const open = await before.configured({}, undefined, '/', receiver);
  await after.send(clientId, ['[1]']);
  expect(receiver.received).toEqual([]);
  expect(await deliveriesOf(db, clientId)).toMatchObject([{ outcome: 'FAILED', error: 'TLS_REQUIRED' }]);
  await after.send(open.clientId, ['[2]']);
  expect(receiver.received.map(({ body }) => body)).toEqual(['[2]']);
  await Promise.all([before.stop(), after.stop()]);
  await drop();
});

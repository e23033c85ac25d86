import { createHmac, randomBytes } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebhookConfiguration_AuthenticationMethodType } from '../../../gen/laurel/v1/webhook_pb.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import { resealWebhookSecrets } from '../../../src/webhooks/configuration/reseal-secrets.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { deliveriesOf, openWebhooks, type Webhooks } from './fixture.ts';
import type { Answer, Receiver } from './receiver.ts';

const { HEADER, QUERY_PARAM } = WebhookConfiguration_AuthenticationMethodType;

let database: TestDatabase;
const opened: Webhooks[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((webhooks) => webhooks.stop()));
});
afterAll(() => database.drop());

test('a receiver that echoes everything puts no secret and no path into the delivery log or the log lines', async () => {
  const webhooks = open();
  const echo: Answer = (request, response, { body }) =>
    response
      .writeHead(500)
      .end(JSON.stringify({ url: request.url, headers: request.headers, raw: request.rawHeaders, body }));
  const settings = [
    {
      authenticationMethodType: HEADER,
      authenticationMethodKey: 'Authorization',
      authenticationValue: 'Bearer tok"en\\123456',
    },
    {
      authenticationMethodType: HEADER,
      authenticationMethodKey: 'X-Key',
      authenticationValue: `${'a'.repeat(4000)}tail`,
    },
    { authenticationMethodType: QUERY_PARAM, authenticationMethodKey: 'key', authenticationValue: 'qu ery&sécret=1' },
  ];
  for (const setting of settings) {
    const { clientId } = await webhooks.configured(
      { ...setting, signed: true },
      echo,
      '/services/T0000/B0000/path5ecret',
    );
    await webhooks.send(clientId, ['[1]']);
    const written = JSON.stringify(await deliveriesOf(database.db, clientId));
    expect(written).toContain('••••');
    for (const piece of ['tok', 'en\\\\123456', 'aaaa', 'tail', 'ery', 'sécret', 's%C3%A9cret', 'path5ecret']) {
      expect(written, piece).not.toContain(piece);
    }
  }
  const lines = webhooks.log.join('');
  expect(lines).toContain('webhook sent');
  for (const piece of ['123456', 'aaaa', 'tail', 'cret', 'whsec_', '/services'])
    expect(lines, piece).not.toContain(piece);
});

test('the log of an unreachable endpoint has its path without what may be a token, and not its query', async () => {
  const webhooks = open();
  const { clientId, receiver } = await webhooks.configured({}, undefined, '/hooks/path5ecret/v2?token=querysecret');
  await receiver.close();
  await webhooks.send(clientId, ['[1]']);
  const [delivery] = await deliveriesOf(database.db, clientId);
  expect(delivery).toMatchObject({ outcome: 'FAILED', error: 'ECONNREFUSED', target: `${receiver.url}/hooks/••••/v2` });
  expect(JSON.stringify(delivery) + webhooks.log.join('')).not.toMatch(/path5ecret|querysecret/);
});

test('after a rotation of keys webhooks go on with their old secrets', async () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const setting = {
    authenticationMethodType: HEADER,
    authenticationMethodKey: 'X-Key',
    authenticationValue: 'old-secret-1',
  };
  const { clientId, receiver } = await open([old]).configured(setting);
  await open([next, old]).send(clientId, ['[1]']);
  expect(receiver.received.map(({ headers }) => headers['x-key'])).toEqual(['old-secret-1']);
});

test('once sealed again, secrets need the old key no more', async () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const setting = {
    authenticationMethodType: HEADER,
    authenticationMethodKey: 'X-Key',
    authenticationValue: 'old-secret-1',
  };
  const { clientId, receiver } = await open([old]).configured({ ...setting, signed: true });
  await open([old]).put(clientId, { ...setting, endpoint: receiver.url, signed: true, rotateSigningSecret: true });
  const lost = await open().configured(setting);
  const both = createSecretBox([next, old]);
  expect((await resealWebhookSecrets(database.db, both)).resealed).toBe(1);
  expect(await resealWebhookSecrets(database.db, both)).toMatchObject({ resealed: 0 });
  expect((await resealWebhookSecrets(database.db, both)).unreadable).toBeGreaterThanOrEqual(1);
  await open([next]).send(clientId, ['[1]']);
  expect(receiver.received.map(({ headers }) => headers['x-key'])).toEqual(['old-secret-1']);
  expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  expect(lost.receiver.received).toEqual([]);
});

test('after a rotation of the signing secret both secrets verify for a day, then the new one alone', async () => {
  const webhooks = open();
  const { clientId, receiver } = await webhooks.configured();
  const settings = { endpoint: receiver.url, signed: true };
  const { signingSecret: first = '' } = await webhooks.put(clientId, settings);
  const rotated = await webhooks.put(clientId, { ...settings, rotateSigningSecret: true });
  const second = rotated.signingSecret ?? '';
  expect(second).toMatch(/^whsec_/);
  expect(second).not.toBe(first);
  const until = timestampDate(rotated.formerSecretUntil!).getTime();
  expect(until - Date.now()).toBeGreaterThan(23 * 3_600_000);
  expect(until - Date.now()).toBeLessThan(25 * 3_600_000);
  // A PUT without it changes neither secret.
  expect((await webhooks.put(clientId, settings)).signingSecret).toBeUndefined();
  const verifies = ({ headers, body }: Receiver['received'][number], secret: string) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  await webhooks.send(clientId, ['[1]']);
  expect([first, second].map((secret) => verifies(receiver.received[0]!, secret))).toEqual([true, true]);
  await database.db.unitOfWork(clientId, (uow) =>
    uow.query(`update webhook_configuration set former_secret_until = now() where client_id = $1`, [clientId]),
  );
  await webhooks.send(clientId, ['[2]']);
  expect([first, second].map((secret) => verifies(receiver.received[1]!, secret))).toEqual([false, true]);
  // The time comes from a clock that was ahead during the rotation.
  await database.db.unitOfWork(clientId, (uow) =>
    uow.query(`update webhook_configuration set former_secret_until = now() + interval '1 year' where client_id = $1`, [
      clientId,
    ]),
  );
  await webhooks.send(clientId, ['[3]']);
  expect([first, second].map((secret) => verifies(receiver.received[2]!, secret))).toEqual([false, true]);
});

test('a rotation without signatures is refused, one of what was not signed makes its first secret, and signing off forgets both', async () => {
  const webhooks = open();
  const { clientId, receiver } = await webhooks.configured();
  const rotate = { endpoint: receiver.url, rotateSigningSecret: true };
  await expect(webhooks.put(clientId, rotate)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const first = await webhooks.put(clientId, { ...rotate, signed: true });
  expect(first.signingSecret).toMatch(/^whsec_/);
  expect(first.formerSecretUntil).toBeUndefined();
  await webhooks.put(clientId, { ...rotate, signed: true });
  expect((await webhooks.put(clientId, { endpoint: receiver.url })).formerSecretUntil).toBeUndefined();
  const again = await webhooks.put(clientId, { endpoint: receiver.url, signed: true });
  expect(again.formerSecretUntil).toBeUndefined();
  await webhooks.send(clientId, ['[1]']);
  expect(receiver.received[0]?.headers['webhook-signature']).not.toContain(' ');
});

test('without the key of its secret a webhook is not sent in the open, and the log says why', async () => {
  const setting = {
    authenticationMethodType: HEADER,
    authenticationMethodKey: 'X-Key',
    authenticationValue: 'old-secret-1',
  };
  const { clientId, receiver } = await open().configured(setting);
  await open().send(clientId, ['[1]']);
  expect(receiver.received).toEqual([]);
  expect(await deliveriesOf(database.db, clientId)).toMatchObject([{ outcome: 'FAILED', error: 'UNREADABLE_SECRET' }]);
});

test('a signed webhook carries the three headers of Standard Webhooks, which its shown secret verifies', async () => {
  const webhooks = open();
  const { clientId, receiver } = await webhooks.configured();
  const { signingSecret = '' } = await webhooks.put(clientId, { endpoint: receiver.url, signed: true });
  const before = Math.floor(Date.now() / 1000);
  const [id] = await webhooks.send(clientId, ['[{"amount":1}]']);
  const { headers, body } = receiver.received[0]!;
  expect(headers['webhook-id']).toBe(id);
  expect(Number(headers['webhook-timestamp'])).toBeGreaterThanOrEqual(before);
  const signature = createHmac('sha256', Buffer.from(signingSecret.replace('whsec_', ''), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);
});

test('an unsigned webhook carries none of them', async () => {
  const webhooks = open();
  const { clientId, receiver } = await webhooks.configured({});
  await webhooks.send(clientId, ['[1]']);
  expect(Object.keys(receiver.received[0]!.headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
});

function open(keys?: Buffer[]): Webhooks {
  const webhooks = openWebhooks(database.db, keys);
  opened.push(webhooks);
  return webhooks;
}

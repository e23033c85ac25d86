import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebhookSettingsSchema } from '../../../gen/laurel/v1/webhook_pb.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import { isSpecialAddress } from '../../../src/webhooks/delivery/target-address.ts';
import { systemClock } from '../../../src/kernel/time/clock.ts';
import { createWebhookSender } from '../../../src/webhooks/delivery/webhook-sender.ts';
import { checkedSettings } from '../../../src/webhooks/configuration/webhook-settings.ts';
import type { WebhookTarget } from '../../../src/webhooks/configuration/webhook-target.ts';

/** Every known form of an address that no public receiver has. */
const SPELLINGS = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://%31%32%37.0.0.1/',
  'http://１２７.０.０.１/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://localhost/',
  'http://LOCALHOST/',
  'http://localhost./',
  'http://ｌocalhost/',
  'http://anything.localhost/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://168.63.129.16/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::]/',
  'http://[::127.0.0.1]/',
  'http://[::7f00:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b:1::a9fe:a9fe]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[2001:db8::1]/',
  'http://0177.1/',
  'http://0x7f.1/',
  'http://0x7f.0x0.0x0.0x1/',
  'http://127.000.000.001/',
  'http:///127.0.0.1/',
  'http://\\\\127.0.0.1/',
  'http://127.0.0.1\\@example.com/',
  'http://[::FFFF:169.254.169.254]/',
  'http://[0:0:0:0:0:ffff:7f00:1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[2002:a9fe:a9fe::]/',
  'https://localhost.:443/',
  'https://a.b.LOCALHOST./',
];

/** Texts that are not an address of a receiver, or that look different to people and to programs. */
const TRICKS = [
  'http://example.com@127.0.0.1/',
  'http://127.0.0.1@example.com/',
  'http://user:secret@example.com/',
  'http://example.com:80@127.0.0.1:80/',
  'http://example.com#@127.0.0.1/',
  'http://127.0.0.1#.example.com/',
  'http://[fe80::1%25eth0]/',
  'http://[fe80::1%eth0]/',
  'http://[::1%25lo]/',
  'http://exa\nmple.com/',
  'http://exam\tple.com/',
  ' http://example.com/',
  'http://127.0.0.1 .example.com/',
  'http:127.0.0.1/',
  '//127.0.0.1/',
  '/latest/meta-data/',
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'unix:/var/run/docker.sock',
  'data:text/plain,x',
  'javascript:alert(1)',
  'http://256.256.256.256/',
  'http://[::1/',
  'http://%00127.0.0.1/',
  'http://',
];

const secrets = createSecretBox([randomBytes(32)]);
const message = { id: '', body: '[]' };

let listener: Server;
let port: number;
const reached: string[] = [];

beforeAll(async () => {
  // Every family and address of this machine: a call that passes the check would be answered.
  listener = createServer((request, response) => {
    reached.push(request.headers.host ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
  const address = listener.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => new Promise((resolve) => listener.close(resolve)));

test.each(SPELLINGS)('%s is refused when it is stored', (endpoint) => {
  const settings = create(WebhookSettingsSchema, { endpoint });
  expect(() => checkedSettings('REWARDS', settings, { allowPrivate: false })).toThrow(
    'loopback, private, link-local or metadata',
  );
  expect(checkedSettings('REWARDS', settings, { allowPrivate: true })).toMatchObject({ endpoint });
});

test.each(SPELLINGS)('%s is refused when it is called', async (endpoint) => {
  const url = new URL(endpoint);
  url.port = String(port);
  expect(await send(url.href)).toMatchObject({ outcome: 'FAILED', error: 'FORBIDDEN_ADDRESS', statusCode: null });
});

test.each(TRICKS)('%j is no endpoint', (endpoint) => {
  for (const allowPrivate of [false, true]) {
    const settings = create(WebhookSettingsSchema, { endpoint });
    expect(() => checkedSettings('REWARDS', settings, { allowPrivate })).toThrow(/^endpoint (must|may)/);
  }
});

test.each([
  [['127.0.0.1']],
  [['::1']],
  [['93.184.215.14', '127.0.0.1']],
  [['127.0.0.1', '93.184.215.14']],
  [['::ffff:127.0.0.1']],
  [['169.254.169.254']],
  [[]],
])('a name that leads to %j is refused when it is called', async (addresses) => {
  const attempt = await senderWith(addresses).send(target(`http://rebinding.example:${port}/`), message);
  expect(attempt).toMatchObject({ outcome: 'FAILED', error: 'FORBIDDEN_ADDRESS' });
});

test('a name is looked up once for each request, and the vetted address is the one that is called', async () => {
  const answers = [['127.0.0.1'], ['::1']];
  const loopback = createWebhookSender({
    clock: systemClock,
    secrets,
    allowPrivate: true,
    resolve: async () => lookupOf(answers.shift() ?? []),
  });
  expect(await loopback.send(target(`http://rebinding.example:${port}/`), message)).toMatchObject({ statusCode: 200 });
  expect(answers).toEqual([['::1']]);
  expect(reached.splice(0)).toEqual([`rebinding.example:${port}`]);
});

test('a name is vetted again for each request, whatever it was answered before', async () => {
  const answers = [['203.0.113.1'], ['192.0.2.1'], ['127.0.0.1'], ['::1']];
  const sender = createWebhookSender({
    clock: systemClock,
    secrets,
    allowPrivate: false,
    resolve: async () => lookupOf(answers.shift() ?? []),
  });
  while (answers.length > 0) {
    const attempt = await sender.send(target(`http://rebinding.example:${port}/`), message);
    expect(attempt).toMatchObject({ outcome: 'FAILED', error: 'FORBIDDEN_ADDRESS' });
  }
});

test('a redirect to the machine itself is an answer, and is not followed', async () => {
  const redirecting = createServer((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${port}/latest/meta-data/` }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
  const { port: own } = redirecting.address() as AddressInfo;
  const attempt = await createWebhookSender({ clock: systemClock, secrets, allowPrivate: true }).send(
    target(`http://127.0.0.1:${own}/`),
    message,
  );
  expect(attempt).toMatchObject({ outcome: 'REFUSED', statusCode: 307 });
  await new Promise((resolve) => redirecting.close(resolve));
});

test('a URL that names a socket of this machine is not one', async () => {
  const socket = join(tmpdir(), `laurel-${process.pid}.sock`);
  const own = createServer((request) => reached.push(request.url ?? ''));
  await new Promise<void>((resolve) => own.listen(socket, resolve));
  for (const allowPrivate of [false, true]) {
    const attempt = await createWebhookSender({ clock: systemClock, secrets, allowPrivate }).send(
      target(`http://unix:${socket}:/`),
      message,
    );
    expect(attempt).toMatchObject({ outcome: 'FAILED' });
  }
  await new Promise((resolve) => own.close(resolve));
});

test('nothing of this reached the machine itself', () => {
  expect(reached).toEqual([]);
});

test.each(['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700::1111', '2a00:1450::1'])(
  'the public address %s is not refused',
  (address) => {
    expect(isSpecialAddress(address)).toBe(false);
  },
);

function send(endpoint: string) {
  return createWebhookSender({ clock: systemClock, secrets, allowPrivate: false }).send(target(endpoint), message);
}

function senderWith(addresses: readonly string[]) {
  return createWebhookSender({
    clock: systemClock,
    secrets,
    allowPrivate: false,
    resolve: async () => lookupOf(addresses),
  });
}

function lookupOf(addresses: readonly string[]) {
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

function target(endpoint: string): WebhookTarget {
  return {
    clientId: '',
    key: 'REWARDS',
    endpointId: null,
    endpoint,
    method: 'POST',
    authenticationMethodType: null,
    authenticationMethodKey: null,
    authenticationValueSealed: null,
    signingSecretSealed: null,
    formerSecretSealed: null,
    formerSecretUntil: null,
    configurationId: '00000000-0000-7000-8000-000000000000',
    retries: false,
  };
}

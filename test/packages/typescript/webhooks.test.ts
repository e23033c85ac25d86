// Webhooks of the service, verified by the TypeScript package in the servers of its page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import fastify from 'fastify';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  verifyWebhook,
  type WebhookChange,
  WebhookVerificationError,
} from '../../../packages/typescript/src/webhooks.ts';
import { blocksOf } from '../../contract/support/page.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';
import { type Received, type Receiver, startReceiver } from '../../operations/webhooks/receiver.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/clients/typescript.md'), 'utf8');

const SECRET = `whsec_${Buffer.from('a secret of 32 characters, at least').toString('base64')}`;
const BODY = JSON.stringify({ id: 'm1', type: 'STOCK_LOW', data: { name: 'Café', stock: 2 } });

/** The headers of a request that is signed as other libraries sign it. */
function signed(body = BODY, at = new Date(), secret = SECRET): Record<string, string> {
  const signature = new Webhook(secret).sign('m1', at, body);
  return {
    'webhook-id': 'm1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signature,
  };
}

describe('a request of the service', () => {
  let service: TestService;
  let receiver: Receiver;
  let request: Received;
  let secret: string;

  beforeAll(async () => {
    service = await sharedService();
    receiver = await startReceiver();
    await newGame(service, { missions: [{ name: 'Come back' }] });
    const endpoint = { name: 'Test', url: receiver.url, types: ['MISSION_COMPLETED'] };
    const { body } = await service.rest('POST', '/webhooks/endpoints', { endpoint });
    secret = (body.endpoint ?? body).signingSecret;
    await service.rest('POST', '/gamification/triggers', {
      programmaticCode: 'LOGIN',
      accountId: 'ada',
      idType: 'EXTERNAL',
    });
    [request] = (await receiver.got(1)) as [Received];
  });
  afterAll(async () => {
    await receiver.close();
    await service.close();
  });

  test('is verified, and its type narrows its data', async () => {
    const change: WebhookChange = await verifyWebhook(request.body, request.headers, secret);
    expect(change.type === 'MISSION_COMPLETED' && change.data.name).toBe('Come back');
  });

  test('is verified by the lines for Fastify, and refused with 400 if it was changed', async () => {
    const app = fastify();
    const { code } = blocksOf(page).find((block) => block.code.includes('addContentTypeParser'))!;
    runInNewContext(code, { app, verifyWebhook, process: { env: { LAUREL_WEBHOOK_SECRET: secret } } });
    const statusOf = async (payload: string) =>
      (await app.inject({ method: 'POST', url: '/laurel', headers: request.headers as never, payload })).statusCode;
    // Another length would be refused by Fastify itself.
    const changed = request.body.replace('Come back', 'Come bock');
    expect([await statusOf(request.body), await statusOf(changed)]).toEqual([204, 400]);
    await app.close();
  });
});

describe('any request', () => {
  test.each([
    ['text', BODY],
    ['a Buffer, as Express reads it', Buffer.from(BODY)],
    ['an ArrayBuffer', new TextEncoder().encode(BODY).buffer],
  ])('is verified from %s', async (_, body) => {
    const read = await verifyWebhook(body as string, signed(), SECRET);
    expect(read).toEqual(JSON.parse(BODY));
  });

  test('is verified with the headers of the web, with several signatures, and with several secrets', async () => {
    const other = `whsec_${Buffer.from('another secret of 32 characters ...').toString('base64')}`;
    await verifyWebhook(BODY, new Headers(signed()), SECRET);
    await verifyWebhook(BODY, signed(), [other, SECRET]);
    const headers = signed();
    const { 'webhook-signature': theirs } = signed(BODY, new Date(), other);
    await verifyWebhook(
      BODY,
      { ...headers, 'webhook-signature': `v2,abc ${theirs} ${headers['webhook-signature']}` },
      SECRET,
    );
  });

  const old = new Date(Date.now() - 301_000);
  const future = new Date(Date.now() + 400_000);
  test.each([
    ['changed content', `${BODY} `, signed(), SECRET, /changed/],
    ['another secret', BODY, signed(), `whsec_${btoa('x'.repeat(32))}`, /this secret/],
    ['no signature', BODY, {}, SECRET, /not signed/],
    ['an empty signature', BODY, { ...signed(), 'webhook-signature': '' }, SECRET, /this secret/],
    ['a malformed signature', BODY, { ...signed(), 'webhook-signature': 'v1,%%%' }, SECRET, /this secret/],
    ['a timestamp that is no number', BODY, { ...signed(), 'webhook-timestamp': 'now' }, SECRET, /not signed/],
    ['an old timestamp', BODY, signed(BODY, old), SECRET, /too old/],
    ['a timestamp of the future', BODY, signed(BODY, future), SECRET, /future/],
    ['another id', BODY, { ...signed(), 'webhook-id': 'm2' }, SECRET, /this secret/],
    ['an empty secret', BODY, signed(), '', /secret is empty/],
    ['no secret', BODY, signed(), undefined, /this secret/],
  ])('is refused with %s', async (_, body, headers, secret, message) => {
    const error = await verifyWebhook(body, headers, secret).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
  });
});

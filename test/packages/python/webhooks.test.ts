// Webhooks of the service, verified by the Python package in the servers of its page.
import { writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Received, type Receiver, startReceiver } from '../../operations/webhooks/receiver.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';
import { programsOf } from './page.ts';
import { environment, type Environment, PROTOBUFS, python, runPython } from './installed.ts';

const SECRET = `whsec_${Buffer.from('a secret of 32 characters, at least').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another secret of 32 characters ...').toString('base64')}`;
const BODY = JSON.stringify({ id: 'm1', type: 'STOCK_LOW', data: { name: 'Café', stock: 2 } });

/** The headers of a request that is signed as other libraries sign it. */
function signed(body = BODY, at = new Date(), secret = SECRET): Record<string, string> {
  return {
    'webhook-id': 'm1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('m1', at, body),
  };
}

describe.skipIf(python === undefined)('webhooks', () => {
  let env: Environment;

  beforeAll(async () => {
    env = await environment(PROTOBUFS.newest, 'fastapi', 'django');
    for (const name of ['fastapi_shop.py', 'django_shop.py']) {
      await writeFile(join(env.folder, name), programsOf(readFileSync(PAGE, 'utf8')).get(name)!);
    }
  }, 120_000);
  afterAll(() => env?.close());

  /** The answer of webhooks.py about a request. */
  async function asked(
    way: string,
    request: Pick<Received, 'headers' | 'body'>,
    ...secrets: readonly string[]
  ): Promise<unknown> {
    const variables = {
      REQUEST: JSON.stringify(request),
      PYTHONPATH: env.folder,
      LAUREL_WEBHOOK_SECRET: secrets[0] ?? '',
    };
    return JSON.parse(await runPython(env.python, ['webhooks.py', way, ...secrets], variables));
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
      const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL' };
      await service.rest('POST', '/gamification/triggers', event);
      [request] = (await receiver.got(1)) as [Received];
    });
    afterAll(async () => {
      await receiver.close();
      await service.close();
    });

    test('is verified', async () => {
      expect(await asked('plain', request, secret)).toMatchObject({
        type: 'MISSION_COMPLETED',
        data: { name: 'Come back' },
      });
    });

    test.each(['fastapi', 'django'])('is verified by the lines for %s, and refused if it was changed', async (way) => {
      expect(await asked(way, request, secret)).toEqual({ status: 204, printed: 'Come back 1\n' });
      expect(await asked(way, { ...request, body: `${request.body} ` }, secret)).toEqual({ status: 400, printed: '' });
    });
  });

  describe('any request', () => {
    test('is verified with several signatures and several secrets, whatever the case of its headers', async () => {
      const parsed = JSON.parse(BODY);
      expect(await asked('plain', { headers: signed(), body: BODY }, SECRET)).toEqual(parsed);
      expect(await asked('plain', { headers: signed(), body: BODY }, OTHER, SECRET)).toEqual(parsed);
      const { 'webhook-signature': theirs } = signed(BODY, new Date(), OTHER);
      const { 'webhook-signature': ours, ...rest } = signed();
      const headers = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name.toUpperCase(), value]));
      expect(
        await asked(
          'plain',
          { headers: { ...headers, 'Webhook-Signature': `v2,abc ${theirs} ${ours}` }, body: BODY },
          SECRET,
        ),
      ).toEqual(parsed);
    });

    const old = new Date(Date.now() - 301_000);
    const future = new Date(Date.now() + 400_000);
    test('is refused with a reason', async () => {
      const refusals: readonly (readonly [string, string, Record<string, string>, string, RegExp])[] = [
        ['changed content', `${BODY} `, signed(), SECRET, /changed/],
        ['another secret', BODY, signed(), OTHER, /this secret/],
        ['no signature', BODY, {}, SECRET, /not signed/],
        ['an empty signature', BODY, { ...signed(), 'webhook-signature': '' }, SECRET, /this secret/],
        ['a malformed signature', BODY, { ...signed(), 'webhook-signature': 'v1,%%% v1,é' }, SECRET, /this secret/],
        ['a timestamp that is no number', BODY, { ...signed(), 'webhook-timestamp': 'now' }, SECRET, /not signed/],
        ['a timestamp of other digits', BODY, { ...signed(), 'webhook-timestamp': '١٢٣' }, SECRET, /not signed/],
        ['an old timestamp', BODY, signed(BODY, old), SECRET, /too old/],
        ['a timestamp of the future', BODY, signed(BODY, future), SECRET, /future/],
        ['another id', BODY, { ...signed(), 'webhook-id': 'm2' }, SECRET, /this secret/],
        ['an empty secret', BODY, signed(), '', /secret is empty/],
        ['a malformed secret', BODY, signed(), 'whsec_%', /malformed/],
      ];
      for (const [name, body, headers, secret, message] of refusals) {
        expect(await asked('plain', { headers, body }, secret), name).toEqual({
          refused: expect.stringMatching(message),
        });
      }
      expect(await asked('plain', { headers: signed(), body: BODY })).toEqual({
        refused: expect.stringMatching(/this secret/),
      });
    });
  });
});

const PAGE = join(import.meta.dirname, '../../../docs/clients/python.md');

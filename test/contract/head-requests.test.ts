import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../gen/routes.ts';
import { newGame } from '../support/game.ts';
import { sharedService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
  await newGame(service, { missions: [{ target: 3 }] });
});
afterAll(() => service.close());

/** Every read with an account in its path. */
const reads = routes
  .filter(({ httpMethod, path }) => httpMethod === 'GET' && /account\/\{|accounts\/\{|\{account_?id\}/i.test(path))
  .filter(({ path }) => !path.startsWith('/admin'))
  .map(({ path }) => path);

const ask = (method: string, path: string) =>
  fetch(service.baseUrl + path, { method, headers: { authorization: `Bearer ${service.apiKey}` } });
const knownAccounts = () =>
  service.db.unitOfWork(service.clientId, async (uow) => {
    const rows = await uow.query<{ external_id: string }>('select external_id from account where client_id = $1', [
      uow.clientId,
    ]);
    return rows.map(({ external_id }) => external_id);
  });

describe('HEAD', () => {
  test('covers the feed and the other reads of one account', () => {
    expect(reads).toContain('/v1/feed/account/{account_id}');
    expect(reads.length).toBeGreaterThanOrEqual(8);
  });

  test.each(reads)(
    'of %s for an unknown external id creates nothing, and answers as GET without the body',
    async (path) => {
      const name = `head of ${path.replaceAll(/[^a-z]/g, ' ')}`;
      const url = `${path.replace(/\{[^}]+\}/, encodeURIComponent(name))}?idType=EXTERNAL`;
      const head = await ask('HEAD', url);
      expect(await knownAccounts()).not.toContain(name);
      const get = await ask('GET', url);
      expect(await head.text()).toBe('');
      expect(head.status).toBe(get.status);
      for (const header of ['content-type', 'content-length'])
        expect(head.headers.get(header)).toBe(get.headers.get(header));
      await get.text();
    },
  );

  test('of the feed of an account that exists answers as GET', async () => {
    await ask('GET', '/v1/feed/account/known?idType=EXTERNAL').then((answer) => answer.text());
    const head = await ask('HEAD', '/v1/feed/account/known?idType=EXTERNAL');
    const get = await ask('GET', '/v1/feed/account/known?idType=EXTERNAL');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String((await get.text()).length)]);
  });

  test('of the feed with an id that GET refuses is refused', async () => {
    expect((await ask('HEAD', '/v1/feed/account/no-uuid')).status).toBe(400);
    expect((await ask('HEAD', '/v1/feed/account/%00?idType=EXTERNAL')).status).toBe(400);
  });
});

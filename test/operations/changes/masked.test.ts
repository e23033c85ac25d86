import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishErasures } from '../../../src/accounts/erasure/finish-erasures.ts';
import { partsOfAccount } from '../../../src/app/parts-of-account.ts';
import { ok } from '../../support/administration.ts';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { settledUser } from '../clients/console.ts';
import { addPoints, changesAfter, endOfFeed, switchOn } from './feed.ts';
import { changesOf, openStream } from './stream.ts';

let service: TestService;
/** A person's access token. */
let person: string;
let accountId: string;
/** The end of the feed before the codes were handed out. */
let end: string;

const CODE = 'COFFEE-0001';
const MASKED = '••••0001';

beforeAll(async () => {
  service = await startService({ trustForwarded: true });
  person = (await settledUser(service)).answer.body.accessToken;
  await switchOn(service);
  accountId = (await post('/accounts', { externalId: 'ada' })).id;
  const product = await post('/admin/products', { name: 'Coffee', stockMode: 'CODES', pointsCost: 1 });
  await post(`/admin/products/${product.id}/codes`, { codes: [CODE] });
  await addPoints(service, accountId, 5);
  end = await endOfFeed(service);
  await post(`/loyalty/products/${product.id}/redeem`, { accountId });
  await endOfFeed(service);
}, 60_000);
afterAll(() => service.close());

const post = (path: string, body: object = {}): Promise<RestAnswer['body']> => ok(service.rest('POST', path, body));

/** Everything that a caller reads of the feed and of the stream, as text. */
async function readBy(token: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const text = async (path: string) => (await fetch(`${service.baseUrl}/v1/${path}?after=${end}`, { headers })).text();
  const stream = await openStream(service, token, accountId, { after: end, query: '?kinds=REDEMPTION_CHANGED' });
  const { changes } = await changesOf(stream, 1);
  return [...(await Promise.all(['changes', 'changes.ndjson', 'changes.csv'].map(text))), JSON.stringify(changes)];
}

test('a person reads codes masked in the feed, its files and a stream; a system reads them whole', async () => {
  for (const text of await readBy(person)) {
    expect(text).toContain(MASKED);
    expect(text).not.toContain(CODE);
  }
  for (const text of await readBy(service.apiKey)) expect(text).toContain(CODE);
});

test('an erasure takes redemptions with their codes out of the feed, and leaves the stock', async () => {
  await post(`/accounts/${accountId}/erase`);
  const clock = () => new Date(Date.now() + 4 * 60_000);
  await finishErasures(service.db, service.clientId, { parts: partsOfAccount, clock });
  const { rows } = await changesAfter(service, end);
  const text = JSON.stringify(rows);
  expect(text).not.toContain(CODE);
  expect(text).not.toContain(accountId);
  expect(rows.map(({ type }) => type)).toContain('STOCK_CHANGED');
});

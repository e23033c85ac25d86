// Messages to webhook endpoints have bodies in two forms: both name accounts, and wait, fail and are logged as other webhooks.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { finishErasures } from '../../../src/accounts/erasure/finish-erasures.ts';
import { partsOfAccount } from '../../../src/app/parts-of-account.ts';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { everyRow, tablesWith } from './dump.ts';

let service: TestService;
let receiver: Receiver;
/** Ends the waiting requests, with a failure. */
let release: () => void;

beforeAll(async () => {
  service = await startService();
});
afterEach(() => receiver.close());
afterAll(() => service.close());

const post = (path: string, body: object) => ok(service.rest('POST', path, body));

const TABLES = ['outbox_message', 'webhook_retry', 'webhook_delivery'];

/** The bodies of a table. */
const bodiesIn = (table: string) =>
  service.db.unitOfWork(service.clientId, async (uow) =>
    (await uow.query<{ body: string | null }>(`select body from ${table} where client_id = $1`, [uow.clientId])).map(
      ({ body }) => body ?? '',
    ),
  );

/** Erases an account, with the second sweep, which housekeeping runs minutes later. */
async function erase(id: string, meanwhile: () => Promise<void>): Promise<void> {
  expect((await service.rest('POST', `/accounts/${id}/erase`, {})).status).toBe(200);
  await meanwhile();
  const clock = () => new Date(Date.now() + 4 * 60_000);
  await finishErasures(service.db, service.clientId, { parts: partsOfAccount, clock });
}

test.each(['PLAIN', 'CLOUD_EVENTS'])(
  'an erasure leaves nothing of the account in waiting messages of the form %s',
  async (form) => {
    const held = Promise.withResolvers<void>();
    release = held.resolve;
    receiver = await startReceiver((_, response) => void held.promise.then(() => response.writeHead(500).end()));
    const types = ['MISSION_COMPLETED', 'REWARDS_DELIVERED', 'ACCOUNTS_MERGED'];
    const { id: endpointId } = await post('/webhooks/endpoints', {
      endpoint: { name: form, url: receiver.url, types, form, retries: true },
    });
    await newGame(service, { codes: { [form]: 'SINGLE' }, missions: [{ programmaticCode: form }] });
    const names = ['guest', 'gone', 'other'].map((name) => `${name}-${form}`);
    const [guest, gone, other] = await Promise.all(
      names.map(async (externalId) => (await post('/accounts', { externalId })).id as string),
    );
    for (const accountId of [gone, other]) await post('/gamification/triggers', { programmaticCode: form, accountId });
    await post(`/accounts/${guest}/merge`, { intoAccountId: gone, progress: 'MAX' });
    // Two of each account and the merge: some are being sent, and wait in the outbox until they have an outcome.
    const isOf = (id: string) => (body: string) => body.includes(id);
    await expect.poll(async () => (await bodiesIn('outbox_message')).filter(isOf(gone!)).length).toBe(3);
    await receiver.got(1);
    expect((await bodiesIn('outbox_message')).some((body) => body.includes(names[0]!))).toBe(true);

    await erase(gone!, async () => {
      expect((await bodiesIn('outbox_message')).filter(isOf(gone!))).toEqual([]);
      release();
      // The attempts under way end after the first sweep. The messages about the other account wait for their retries.
      await expect.poll(async () => (await bodiesIn('webhook_retry')).filter(isOf(other!)).length).toBe(2);
    });
    const rows = (await everyRow(service.databaseUrl)).filter(({ table }) => TABLES.includes(table));
    for (const mark of [gone!, guest!, names[0]!, names[1]!]) expect(tablesWith(rows, mark), mark).toEqual([]);
    expect(tablesWith(rows, other!)).toContain('webhook_retry');
    await ok(service.rest('DELETE', `/webhooks/endpoints/${endpointId}`));
  },
);

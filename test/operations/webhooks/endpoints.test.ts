// Endpoints below their operations: secrets, housekeeping and retries. `test/contract/webhook-endpoints.test.ts` has the operations.
import { randomBytes } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Change_Kind } from '../../../gen/laurel/v1/change_pb.ts';
import { type WebhookEndpoint, WebhookEndpointDraftSchema } from '../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import {
  CreateWebhookEndpointRequestSchema,
  DeleteWebhookEndpointRequestSchema,
  UpdateWebhookEndpointRequestSchema,
} from '../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import { resealWebhookSecrets } from '../../../src/webhooks/configuration/reseal-secrets.ts';
import { createWebhookEndpoint } from '../../../src/webhooks/endpoints/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from '../../../src/webhooks/endpoints/delete-webhook-endpoint.ts';
import { updateWebhookEndpoint } from '../../../src/webhooks/endpoints/update-webhook-endpoint.ts';
import { claimMessages } from '../../../src/webhooks/outbox/outbox.queries.ts';
import { newId, NIL_UUID } from '../../../src/kernel/ids.ts';
import { ListWaitingWebhooksRequestSchema } from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import type { WebhookEndpointsOptions } from '../../../src/webhooks/endpoints/webhook-endpoints-options.ts';
import { listWaitingWebhooks } from '../../../src/webhooks/outbox/list-waiting-webhooks.ts';
import { deleteOldWebhookRows } from '../../../src/webhooks/outbox/delete-old-webhook-rows.ts';
import { newClient, type TestDatabase, testDatabase } from '../../support/database.ts';
import { callOf, enqueue, openWebhooks, type Webhooks, waitingOf } from './fixture.ts';
import { type Receiver, startReceiver } from './receiver.ts';

type Draft = MessageInitShape<typeof WebhookEndpointDraftSchema>;

let database: TestDatabase;
let receiver: Receiver;
let failing = false;
const opened: Webhooks[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  failing = false;
  receiver = await startReceiver((_, response) => response.writeHead(failing ? 500 : 204).end());
});
afterEach(async () => {
  await receiver.close();
  await Promise.all(opened.splice(0).map((each) => each.stop()));
});
afterAll(() => database.drop());

function open(keys: Buffer[]): Webhooks {
  const webhooks = openWebhooks(database.db, keys);
  opened.push(webhooks);
  return webhooks;
}

const draft = (fields: Draft = {}) =>
  create(WebhookEndpointDraftSchema, { name: 'Stock', url: receiver.url, types: [Change_Kind.STOCK_LOW], ...fields });

const optionsOf = (webhooks: Webhooks): WebhookEndpointsOptions => ({ ...webhooks, unknownCampaigns: async () => [] });

/** A client with an endpoint for low stocks. */
async function newEndpoint(webhooks: Webhooks) {
  const clientId = await newClient(database.db);
  const call = callOf(database.db, clientId);
  const options = optionsOf(webhooks);
  const add = (fields: Draft = {}) =>
    createWebhookEndpoint(call, create(CreateWebhookEndpointRequestSchema, { endpoint: draft(fields) }), options);
  const { endpoint } = await add();
  const { id = '' } = endpoint!;
  let version = 1;
  async function change(by: WebhookEndpointsOptions, fields: Draft, rotateSigningSecret: boolean) {
    const request = { id, version, endpoint: draft(fields), rotateSigningSecret };
    const changed = await updateWebhookEndpoint(call, create(UpdateWebhookEndpointRequestSchema, request), by);
    version += 1;
    return changed.endpoint as WebhookEndpoint;
  }
  return {
    clientId,
    id,
    /** Creates another endpoint of the client. */
    add,
    signingSecret: endpoint!.signingSecret!,
    update: (fields: Draft, rotates = false) => change(options, fields, rotates),
    /** The same by a process with other keys. */
    with: (other: Webhooks) => ({
      update: (fields: Draft, rotates = false) => change(optionsOf(other), fields, rotates),
    }),
    remove: () => deleteWebhookEndpoint(call, create(DeleteWebhookEndpointRequestSchema, { id })),
    enqueue: (bodies: readonly string[] = ['{}']) => enqueue(database.db, clientId, bodies, 'STOCK_LOW'),
  };
}

const retriesOf = (clientId: string) =>
  database.db.unitOfWork(clientId, (uow) => uow.query('select id from webhook_retry'));

test('secrets that are sealed again sign as before', async () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const endpoint = await newEndpoint(open([old]));
  const rotated = await endpoint.update({}, true);
  const both = createSecretBox([next, old]);
  expect((await resealWebhookSecrets(database.db, both)).resealed).toBe(1);
  expect(await resealWebhookSecrets(database.db, both)).toMatchObject({ resealed: 0 });
  const ids = await endpoint.enqueue();
  open([next]).dispatch().wake(endpoint.clientId, ids);
  const [request] = await receiver.got(1);
  for (const secret of [endpoint.signingSecret, rotated.signingSecret!]) {
    const headers = request!.headers as Record<string, string>;
    expect(() => new Webhook(secret).verify(request!.body, headers)).not.toThrow();
  }
});

test('an endpoint whose key is lost works again once its secret is rotated', async () => {
  const [lost, next] = [randomBytes(32), randomBytes(32)];
  const before = await newEndpoint(open([lost]));
  const rotated = await before.with(open([next])).update({}, true);
  expect(rotated.formerSecretUntil).toBeUndefined();
  const ids = await before.enqueue();
  const webhooks = open([next]);
  webhooks.dispatch({ secretKeyIds: webhooks.secrets.keyIds }).wake(before.clientId, ids);
  const [request] = await receiver.got(1);
  const headers = request!.headers as Record<string, string>;
  expect(() => new Webhook(rotated.signingSecret!).verify(request!.body, headers)).not.toThrow();
});

test('a message that was committed after the deletion of its endpoint is listed with its kind', async () => {
  const endpoint = await newEndpoint(open([randomBytes(32)]));
  await endpoint.enqueue();
  await database.db.unitOfWork(endpoint.clientId, (uow) =>
    uow.query(
      `insert into outbox_message (client_id, id, configuration_id, type, body, not_before, attempts, created_at)
       values ($1, $2, gen_random_uuid(), 'REWARDS_DELIVERED', '{}', now(), 0, now())`,
      [endpoint.clientId, newId()],
    ),
  );
  const { rows } = await listWaitingWebhooks(
    callOf(database.db, endpoint.clientId),
    create(ListWaitingWebhooksRequestSchema, { page: 1, limit: 10 }),
  );
  expect(rows).toMatchObject([
    { kind: Change_Kind.STOCK_LOW, endpointId: endpoint.id },
    { kind: Change_Kind.REWARDS_DELIVERED },
  ]);
  expect(rows![1]).not.toHaveProperty('type');
});

test('a process without the key of an endpoint leaves its messages to others', async () => {
  const key = randomBytes(32);
  const endpoint = await newEndpoint(open([key]));
  const messages = await endpoint.enqueue();
  const claim = ({ secrets: { keyIds } }: Webhooks) =>
    database.db.unitOfWork(endpoint.clientId, (uow) =>
      claimMessages(uow, {
        ...messages[0]!,
        limit: 10,
        released: messages.map(({ id }) => id),
        from: NIL_UUID,
        keyIds,
      }),
    );
  expect(await claim(open([randomBytes(32)]))).toEqual([]);
  expect(await claim(open([key]))).toMatchObject([{ id: messages[0]!.id, type: 'STOCK_LOW', endpoint: receiver.url }]);
});

test('an endpoint that hangs does not delay another one of its client', async () => {
  const webhooks = open([randomBytes(32)]);
  const hanging = await startReceiver(() => {});
  const { clientId, add } = await newEndpoint(webhooks);
  await add({ url: hanging.url });
  const messages = await enqueue(database.db, clientId, Array(200).fill('{}'), 'STOCK_LOW');
  const started = performance.now();
  webhooks.dispatch().wake(clientId, messages);
  await receiver.got(200);
  // Less than one attempt at the endpoint that hangs.
  expect(performance.now() - started).toBeLessThan(4_000);
  await hanging.close();
});

test('housekeeping deletes messages of deleted endpoints only', async () => {
  const olderThan = new Date(Date.now() + 60_000);
  const endpoint = await newEndpoint(open([randomBytes(32)]));
  await endpoint.enqueue(['1', '2']);
  expect(await deleteOldWebhookRows(database.db, endpoint.clientId, { olderThan })).toBe(0);
  expect(await waitingOf(database.db, endpoint.clientId)).toBe(2);
  await endpoint.remove();
  expect(await waitingOf(database.db, endpoint.clientId)).toBe(0);
  const other = await newEndpoint(open([randomBytes(32)]));
  await other.enqueue(['1', '2']);
  // As a transaction leaves it that commits after the deletion of its endpoint.
  await database.db.unitOfWork(other.clientId, (uow) =>
    uow.query(`update outbox_message set configuration_id = gen_random_uuid() where client_id = $1`, [other.clientId]),
  );
  expect(await deleteOldWebhookRows(database.db, other.clientId, { olderThan })).toBe(2);
});

test('another URL and retries switched off end the retries that wait; another name does not', async () => {
  const webhooks = open([randomBytes(32)]);
  for (const [fields, left] of [
    [{ name: 'Renamed' }, 1],
    [{ types: [Change_Kind.STOCK_LOW, Change_Kind.MISSION_COMPLETED] }, 1],
    [{ url: `${receiver.url}/other` }, 0],
    [{ retries: false }, 0],
  ] as const) {
    failing = true;
    const endpoint = await newEndpoint(webhooks);
    const ids = await endpoint.enqueue();
    webhooks.dispatch().wake(endpoint.clientId, ids);
    await expect.poll(() => retriesOf(endpoint.clientId)).toHaveLength(1);
    await endpoint.update(fields as Draft);
    expect(await retriesOf(endpoint.clientId), JSON.stringify(fields)).toHaveLength(left);
  }
});

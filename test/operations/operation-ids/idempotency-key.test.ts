import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { Code, createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { TriggerService } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { routes } from '../../../gen/routes.ts';
import { operationIdField } from '../../../src/server/rpc/operation-id-field.ts';
import { sharedService, type TestService } from '../../support/service.ts';
import { asIs, everyOperation, type Operation, post } from './every-operation.ts';

let service: TestService;
let operations: readonly Operation[];

beforeAll(async () => {
  service = await sharedService();
  operations = await everyOperation(service);
});
afterAll(() => service.close());

const NAMES = [
  'EmitTrigger',
  'ClaimCampaign',
  'RedeemProduct',
  'FreezePublication',
  'RedeemPublication',
  'OpenChest',
  'AdjustPoints',
  'CancelRedemption',
];
/** The words for a repeat in descriptions: it creates, adds, sends or makes another. */
const DONE_AGAIN = [
  'AddAgreementStock',
  'AddProductStock',
  'AddPublicationStock',
  'BeginSecondFactor',
  'CreateAccount',
  'CreateAgreement',
  'CreateAudience',
  'CreateCampaign',
  'CreateChestDefinition',
  'CreateClient',
  'CreateCredential',
  'CreateImport',
  'CreateLeaderboard',
  'CreateMission',
  'CreateProduct',
  'CreatePublication',
  'CreateReward',
  'CreateWebhookEndpoint',
  'DuplicateCampaign',
  'RedeliverWebhook',
  'ResetConsoleUserPassword',
  'SignIn',
  'TestAlert',
  'TestMissionCompletedWebhook',
  'TestPublicationStatusWebhook',
  'TestRewardsWebhook',
  'TestStockLowWebhook',
  'TestWebhookEndpoint',
  'WithdrawProductStock',
  'WithdrawPublicationStock',
];
const SYNC = '/gamification/triggers';
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true';
const emit = (key: string, body: object = {}, path = SYNC) =>
  post(
    service,
    path,
    { programmaticCode: 'REFERRAL', accountId: 'ada', idType: 'EXTERNAL', ...body },
    { 'idempotency-key': key },
  );
const refusal = (words: RegExp) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', message: expect.stringMatching(words) },
});

test('an empty operationId over REST is refused by every operation that takes one, and protobuf’s default is not', async () => {
  const taking = routes.filter(({ rpc }) => operationIdField(rpc)?.kind === 'one');
  expect(taking.length).toBeGreaterThan(NAMES.length);
  for (const { httpMethod, path } of taking) {
    const answer = await service.rest(
      httpMethod,
      path.replaceAll(/\{\w+\}/g, () => randomUUID()),
      { operationId: '' },
    );
    expect(answer, path).toMatchObject(refusal(/^operationId is empty\. Send 1-128 characters, or leave it out\.$/));
  }
  const client = createClient(TriggerService, createGrpcTransport({ baseUrl: service.baseUrl }));
  const trigger = { programmaticCode: 'REFERRAL', accountId: 'ada', idType: Account_IdType.EXTERNAL, operationId: '' };
  await client.emitTrigger({ trigger }, { headers: { authorization: `Bearer ${service.apiKey}` } });
});

describe('the header Idempotency-Key', () => {
  test.each(NAMES)('is the operation id of %s', async (name) => {
    const { accountId, path, body } = await operations.find((operation) => operation.name === name)!.prepare();
    const key = randomUUID();
    const send = (more: object, headers: Record<string, string>) =>
      post(service, path(asIs, { accountId }), { ...body(asIs, { accountId }), ...more }, headers);
    const first = await send({}, { 'idempotency-key': key });
    expect(first).toMatchObject({ status: 200 });
    const repeats = [
      await send({}, { 'idempotency-key': key }),
      await send({}, { 'idempotency-key': `"${key}"` }),
      await send({ operationId: key }, {}),
      await send({ operationId: key }, { 'idempotency-key': key }),
    ];
    for (const again of repeats) {
      expect(again).toMatchObject({ status: 200, body: first.body });
      expect(replayed(again)).toBe(true);
    }
    const other = await send({ operationId: randomUUID() }, { 'idempotency-key': key });
    expect(other).toMatchObject(refusal(/Idempotency-Key.*operationId.*differ/));
  });

  test('is the operation id of an asynchronous event, of freeing, and no other field’s', async () => {
    const key = randomUUID();
    const first = await emit(key, {}, '/gamification/triggers/async');
    const again = await emit(key, {}, '/gamification/triggers/async');
    expect([first, again].map(({ status }) => status)).toEqual([200, 200]);
    expect(replayed(again)).toBe(true);
    const freeing = { publicationId: randomUUID(), accountId: randomUUID() };
    const answer = await post(service, '/marketplace/publications/unfreeze', freeing, { 'idempotency-key': key });
    expect(answer).toMatchObject({ status: 200, body: { releasedQuantity: 0 } });
  });

  test('on a batch is refused with what to send instead', async () => {
    const body = { triggers: [{ programmaticCode: 'REFERRAL', accountId: 'ada', idType: 'EXTERNAL' }] };
    const answer = await post(service, `${SYNC}/batch`, body, { 'idempotency-key': randomUUID() });
    expect(answer).toMatchObject(refusal(/operationId.*each/));
  });

  test('of two characters more than an operation id may have is refused by its own name', async () => {
    expect(await emit('k'.repeat(128))).toMatchObject({ status: 200 });
    expect(await emit('k'.repeat(129))).toMatchObject(refusal(/Idempotency-Key.*128/));
  });

  test.each([
    ['empty', ''],
    ['an empty string', '""'],
    ['an open quote', '"abc'],
    ['a quote with parameters', '"abc";v=1'],
    ['a wrong escape', '"a\\bc"'],
    ['Latin-1', 'caf\u00e9'],
  ])('that is %s is refused', async (_, key) => {
    expect(await emit(key)).toMatchObject(refusal(/Idempotency-Key/));
  });

  test('takes a quoted string as the text in it', async () => {
    const key = `say "${randomUUID()}" \\ and more`;
    const event = { accountId: 'quoted' };
    expect(await emit(`"${key.replace(/["\\]/g, '\\$&')}"`, event)).toMatchObject({ status: 200 });
    const plain = await post(service, SYNC, {
      programmaticCode: 'REFERRAL',
      idType: 'EXTERNAL',
      operationId: key,
      ...event,
    });
    expect(replayed(plain)).toBe(true);
  });

  test('sent twice is refused', async () => {
    const status = await new Promise((resolve, reject) => {
      const call = request(service.baseUrl + SYNC, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': ['one', 'two'],
        },
      });
      call.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      call.end(JSON.stringify({ programmaticCode: 'REFERRAL', accountId: 'ada', idType: 'EXTERNAL' }));
    });
    expect(status).toBe(400);
  });

  test('is refused by what each call does again and no operation id protects, by their own word', async () => {
    const refusing = new Set<string>();
    for (const { rpc, httpMethod, path } of routes) {
      const url = service.baseUrl + path.replaceAll(/\{\w+\}/g, () => randomUUID());
      const token = path.startsWith('/admin') || path.startsWith('/webhooks') ? service.serviceToken : service.apiKey;
      const headers = {
        authorization: `Bearer ${token}`,
        'laurel-client-id': service.clientId,
        'idempotency-key': 'one',
      };
      const answer = await fetch(url, {
        method: httpMethod,
        headers: { ...headers, 'content-type': 'application/json' },
      });
      const { message = '' } = answer.status === 400 ? ((await answer.json()) as { message?: string }) : {};
      if (message.includes('is done again by each call')) refusing.add(rpc.name);
    }
    expect([...refusing].toSorted()).toEqual(DONE_AGAIN);
  });

  test('changes nothing where a repeat is safe', async () => {
    const headers = { 'idempotency-key': '"never read' };
    expect(await post(service, '/accounts/resolve', { externalId: 'plain' }, headers)).toMatchObject({ status: 200 });
    const trigger = { programmaticCode: 'REFERRAL', accountId: 'ada', idType: 'EXTERNAL' };
    expect(await post(service, `${SYNC}/simulate`, trigger, headers)).toMatchObject({ status: 200 });
  });

  test.each([
    ['gRPC', createGrpcTransport],
    ['gRPC-Web', (options: { baseUrl: string }) => createGrpcWebTransport({ ...options, httpVersion: '1.1' })],
    ['Connect', (options: { baseUrl: string }) => createConnectTransport({ ...options, httpVersion: '1.1' })],
  ])('is the operation id over %s', async (_, transport) => {
    const client = createClient(TriggerService, transport({ baseUrl: service.baseUrl }));
    const trigger = { programmaticCode: 'REFERRAL', accountId: randomUUID(), idType: Account_IdType.EXTERNAL };
    const headers = { authorization: `Bearer ${service.apiKey}`, 'idempotency-key': randomUUID() };
    const first = await client.emitTrigger({ trigger }, { headers });
    let again = '';
    const onHeader = (answered: Headers) => (again = answered.get('idempotency-replayed') ?? '');
    expect(await client.emitTrigger({ trigger }, { headers, onHeader })).toEqual(first);
    expect(again).toBe('true');
    const differing = client.emitTrigger({ trigger: { ...trigger, operationId: 'another' } }, { headers });
    await expect(differing).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(client.emitTriggerBatch({ triggers: [trigger] }, { headers })).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  });

  test('is described for the operations that take it, and for no others', async () => {
    const document = await (await fetch(`${service.baseUrl}/openapi.json`)).json();
    type Described = { operationId: string; parameters?: Array<{ name: string; in: string }> };
    const all = Object.values(document.paths).flatMap((path) => Object.values(path as Record<string, Described>));
    const taking = all.filter(({ parameters = [] }) =>
      parameters.some(({ name, in: where }) => where === 'header' && name === 'Idempotency-Key'),
    );
    const asynchronous = ['EmitTriggerAsync', 'UnfreezePublication'];
    // The tests of test/operations/{support,triggers/reversals,webhooks/resend} cover these, through the same code.
    const others = [
      'CancelPendingReward',
      'ChangeAccountAudiences',
      'ClaimForAccount',
      'BuyStreakFreezes',
      'CorrectStatistic',
      'GrantStreakFreezes',
      'RestoreStreak',
      'DeliverPendingReward',
      'EditAccount',
      'GrantReward',
      'MergeAccounts',
      'OpenChestForAccount',
      'UndoAccountMerge',
      'ReleaseReservation',
      'RemoveAccount',
      'ResumeAccount',
      'ReverseTriggersOfAccount',
      'RevokeTokensOfAccount',
      'SuspendAccount',
      'ResendWebhookDeliveries',
      'ReverseTrigger',
    ];
    expect(taking.map(({ operationId }) => operationId).toSorted()).toEqual(
      [...NAMES, ...asynchronous, ...others].toSorted(),
    );
  });
});

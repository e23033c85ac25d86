import { once } from 'node:events';
import { connect } from 'node:net';
import { create } from '@bufbuild/protobuf';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { TriggerSchema } from '../../../gen/laurel/v1/trigger_pb.ts';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { systemClock } from '../../../src/kernel/time/clock.ts';
import { createEmitter } from '../../../src/triggers/emitter.ts';
import { createLargeClients } from '../../../src/triggers/large-clients.ts';
import { newGame, newProduct } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

let service: TestService;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  receiver = await startReceiver();
  const settings = { endpoint: receiver.url, authenticationMethodType: 'HEADER', authenticationMethodKey: 'X-Secret' };
  await service.rest('PUT', '/webhooks/rewards', { ...settings, authenticationValue: 'open sesame' });
});
afterEach(() => receiver.close());

const emit = (programmaticCode: string, accountId: string) =>
  service.rest('POST', '/gamification/triggers', { programmaticCode, accountId, idType: 'EXTERNAL' });

/** No webhook can follow once the outbox is empty and none is being sent. */
async function outboxIsEmpty(): Promise<void> {
  await expect
    .poll(
      () =>
        service.db.unitOfWork(service.clientId, (uow) =>
          uow.query(`select 1 from outbox_message where client_id = $1`, [uow.clientId]),
        ),
      { timeout: 8_000, interval: 20 },
    )
    .toEqual([]);
}

test('a campaign of one mission that closes sends one request with the documented array', async () => {
  const productId = await newProduct(service, ['A-1', 'A-2']);
  const game = await newGame(service, {
    codes: { ONE: 'SINGLE' },
    missions: [{ programmaticCode: 'ONE' }],
    rewards: [
      { name: 'Points', type: 'POINTS', amount: 2.5 },
      { name: 'Coupon', type: 'PRODUCTS', amount: 2, productId },
    ],
  });
  const answer = await emit('ONE', 'closer');
  const [{ accountId }] = answer.body.rewards;
  const assignmentId = answer.body.progressedMissions[0].assignmentId;
  await outboxIsEmpty();

  expect(receiver.received).toHaveLength(1);
  const [request] = receiver.received;
  expect(request!.method).toBe('POST');
  expect(request!.headers).toMatchObject({ 'content-type': 'application/json', 'x-secret': 'open sesame' });
  const assignment = (rewardId: string | undefined) => ({
    assignmentId,
    assignment: {
      id: assignmentId,
      progress: 1,
      target: 1,
      status: 'COMPLETED',
      missionId: game.missionIds[0],
      accountId,
      rewardId,
    },
  });
  expect(JSON.parse(request!.body)).toEqual([
    {
      accountId,
      externalId: 'closer',
      type: 'POINTS',
      amount: 2.5,
      rewardId: game.rewardIds[0],
      campaignId: game.campaignId,
      earnedRewardId: answer.body.rewards[0].id,
      ...assignment(game.rewardIds[0]),
    },
    {
      accountId,
      externalId: 'closer',
      type: 'PRODUCTS',
      amount: 2,
      productId,
      codes: ['A-1', 'A-2'].map((code) => ({ code, item: { id: expect.any(String), name: 'Coupon' } })),
      rewardId: game.rewardIds[1],
      campaignId: game.campaignId,
      earnedRewardId: answer.body.rewards[1].id,
      ...assignment(game.rewardIds[1]),
      productRedemptions: [
        {
          product: { id: productId, name: 'Coupon' },
          account: { id: accountId },
          redeemables: ['A-1', 'A-2'].map((code) => ({ id: expect.any(String), code, itemId: expect.any(String) })),
        },
      ],
    },
  ]);
});

test('a campaign of several missions names no assignment, and mission rewards are not sent', async () => {
  const { body: bonus } = await service.rest('POST', '/admin/rewards', { name: 'Bonus', type: 'POINTS', amount: 1 });
  const game = await newGame(service, {
    codes: { LEFT: 'SINGLE', RIGHT: 'SINGLE' },
    missions: [{ programmaticCode: 'LEFT', rewardIds: [bonus.id] }, { programmaticCode: 'RIGHT' }],
  });
  expect((await emit('LEFT', 'walker')).body.rewards).toMatchObject([{ rewardId: bonus.id }]);
  await emit('RIGHT', 'walker');
  await outboxIsEmpty();
  expect(receiver.received.map((request) => JSON.parse(request.body))).toEqual([
    [
      {
        accountId: expect.any(String),
        externalId: 'walker',
        type: 'POINTS',
        amount: 10,
        rewardId: game.rewardIds[0],
        campaignId: game.campaignId,
        earnedRewardId: expect.any(String),
      },
    ],
  ]);
});

test('after the configuration is deleted nothing is sent, and the reward is delivered all the same', async () => {
  await newGame(service, { codes: { QUIET: 'SINGLE' }, missions: [{ programmaticCode: 'QUIET' }] });
  expect((await service.rest('DELETE', '/webhooks/rewards')).status).toBe(204);
  expect((await service.rest('DELETE', '/webhooks/rewards')).status).toBe(204);
  expect((await emit('QUIET', 'hermit')).body.rewards).toMatchObject([{ status: 'DELIVERED' }]);
  await outboxIsEmpty();
  expect(receiver.received).toEqual([]);
});

test('a reward that waited for stock is sent when the restock delivers it', async () => {
  const productId = await newProduct(service, []);
  const game = await newGame(service, {
    codes: { WAIT: 'SINGLE' },
    missions: [{ programmaticCode: 'WAIT' }],
    rewards: [{ name: 'Coupon', type: 'PRODUCTS', amount: 1, productId }],
  });
  expect((await emit('WAIT', 'patient')).body).toMatchObject({ rewards: [], pendingRewards: [{ codes: [] }] });
  await outboxIsEmpty();
  expect(receiver.received).toEqual([]);
  await service.rest('POST', `/admin/products/${productId}/codes`, { codes: ['LATE-1'] });
  await outboxIsEmpty();
  expect(receiver.received.map((request) => JSON.parse(request.body))).toMatchObject([
    [{ campaignId: game.campaignId, codes: [{ code: 'LATE-1' }], assignment: { status: 'COMPLETED' } }],
  ]);
});

test('the dispatcher is not woken before the last answer of the batch has been written', async () => {
  await newGame(service, { codes: { BOTH: 'SINGLE' }, missions: [{ programmaticCode: 'BOTH' }] });
  const woken: number[] = [];
  const catalogs = createCatalogs();
  const emitter = createEmitter({
    db: service.db,
    catalogs,
    dispatcher: { wake: (_clientId, messageIds = []) => woken.push(messageIds.length) },
    clock: systemClock,
    triggerConcurrency: 1,
    largeClients: createLargeClients(catalogs, 1),
  });
  const trigger = (accountId: string) =>
    create(TriggerSchema, { programmaticCode: 'BOTH', accountId, idType: Account_IdType.EXTERNAL });
  const alone = emitter.emit(service.clientId, trigger('first'));
  const together = ['second', 'third'].map((accountId) => emitter.emit(service.clientId, trigger(accountId)));
  (await alone).afterAnswer();
  expect(woken).toEqual([1]);
  const [second, third] = await Promise.all(together);
  expect(woken).toEqual([1]);
  third!.afterAnswer();
  expect(woken).toEqual([1]);
  second!.afterAnswer();
  expect(woken).toEqual([1, 2]);
  // The service's dispatcher also finds messages without a wake-up, and must not send this one to the next test's receiver.
  await outboxIsEmpty();
});

test('a receiver gets a closing only after the answer is on the wire', async () => {
  await newGame(service, { codes: { ORDER: 'SINGLE' }, missions: [{ programmaticCode: 'ORDER' }] });
  for (let round = 0; round < 10; round += 1) {
    const order: string[] = [];
    const answered = postRaw({ programmaticCode: 'ORDER', accountId: `ordered-${round}`, idType: 'EXTERNAL' }).then(
      () => order.push('answer'),
    );
    const received = receiver.got(round + 1).then(() => order.push('webhook'));
    await Promise.all([answered, received]);
    expect(order).toEqual(['answer', 'webhook']);
  }
});

/** Resolves with the first byte of the answer; `fetch` would take some turns of the event loop longer. */
async function postRaw(event: object): Promise<void> {
  const body = JSON.stringify(event);
  const socket = connect(service.app.port, '127.0.0.1');
  socket.write(
    `POST /gamification/triggers HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${service.apiKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(head.toString()).toMatch(/^HTTP\/1\.1 200 /);
}

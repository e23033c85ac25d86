import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesOf } from '../../../src/commands/verify.ts';
import { type RestAnswer, sharedService, type TestService } from '../../support/service.ts';
import { untilBlocked } from '../triggers/inbox-fixture.ts';
import { asIs, everyOperation, type Operation, post, upper, v010Fingerprint } from './every-operation.ts';

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
const operationNamed = (name: string) => operations.find((operation) => operation.name === name)!;
const REUSED = { status: 400, body: { code: 'OPERATION_ID_REUSED' } };

/** Stores an operation with the statement of v0.1.0, and calls `before` before the commit. */
async function stored(
  { stored: { schema, answer } }: Operation,
  content: readonly string[],
  operationId: string = randomUUID(),
  before?: () => Promise<void>,
): Promise<string> {
  await service.db.unitOfWork(service.clientId, async (uow) => {
    await uow.query(
      `insert into operation (client_id, id, fingerprint, response, created_at)
       select $1::uuid, o.id, o.fingerprint, o.response, $5::timestamptz
         from unnest($2::text[], $3::bytea[], $4::bytea[]) as o(id, fingerprint, response)`,
      [
        service.clientId,
        [operationId],
        [v010Fingerprint(content)],
        [Buffer.from(toBinary(schema, create(schema, answer)))],
        new Date(),
      ],
    );
    await before?.();
  });
  return operationId;
}

describe.each(NAMES)('%s that v0.1.0 stored', (name) => {
  test('gets its stored answer, however the ids were spelled and whether or not the idType was sent', async () => {
    const operation = operationNamed(name);
    const { accountId, path, body, v010 } = await operation.prepare();
    const shapes = [
      [asIs, { accountId }],
      [asIs, { accountId, idType: 'INTERNAL' }],
      [upper, { accountId: upper(accountId) }],
      [upper, { accountId: upper(accountId), idType: 'INTERNAL' }],
    ] as const;
    for (const [spell, account] of shapes) {
      const operationId = await stored(operation, v010(spell, account));
      const answer = await post(service, path(spell, account), { ...body(spell, account), operationId });
      expect(answer).toMatchObject({ status: 200, body: operation.stored.shown });
      expect(answer.headers.get('idempotency-replayed')).toBe('true');
    }
  });

  test('gets it also where what was sent in full is sent in short now', async () => {
    const operation = operationNamed(name);
    const { accountId, path, body, v010 } = await operation.prepare();
    const operationId = await stored(operation, v010(asIs, { accountId, idType: 'INTERNAL' }));
    const short = { accountId: upper(accountId) };
    const answer = await post(service, path(upper, short), { ...body(upper, short), operationId });
    expect(answer).toMatchObject({ status: 200, body: operation.stored.shown });
  });

  test('holds its id against other content and against every other operation', async () => {
    const operation = operationNamed(name);
    const { accountId, path, other, v010 } = await operation.prepare();
    const operationId = await stored(operation, v010(asIs, { accountId }));
    const account = { accountId };
    expect(await post(service, path(asIs, account), { ...other(asIs, account), operationId })).toMatchObject(REUSED);
    for (const another of operations.filter((each) => each !== operation)) {
      const call = await another.prepare();
      const own = { accountId: call.accountId };
      const answer = await post(service, call.path(asIs, own), { ...call.body(asIs, own), operationId });
      expect(answer, another.name).toMatchObject(REUSED);
    }
  });
});

test('an event that v0.1.0 stored holds its id against other event codes, sent in any way', async () => {
  const operation = operationNamed('EmitTrigger');
  const { accountId, v010 } = await operation.prepare();
  const operationId = await stored(operation, v010(asIs, { accountId }));
  const referral = { programmaticCode: 'REFERRAL', accountId, operationId };
  expect(await post(service, '/gamification/triggers', referral)).toMatchObject(REUSED);
  expect(await post(service, '/gamification/triggers/async', referral)).toMatchObject(REUSED);
  const batch = await post(service, '/gamification/triggers/batch', { triggers: [referral] });
  expect(batch.body.results).toMatchObject([{ error: { statusCode: 400, code: 'OPERATION_ID_REUSED' } }]);
});

test('an event that waited in the inbox of v0.1.0 is known by its id and code', async () => {
  const { accountId } = await operationNamed('EmitTrigger').prepare();
  const operationId = randomUUID();
  // A time in the future, so that it waits for the whole test.
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(
      `insert into trigger_inbox (client_id, id, programmatic_code, account_id, id_type, metadata, operation_id, occurred_at, accepted_at, not_before)
       values ($1, $2, 'PURCHASE', $3, 'INTERNAL', '{"amount": 5}', $4, now(), now(), now() + interval '1 hour')`,
      [service.clientId, randomUUID(), accountId, operationId],
    ),
  );
  const path = '/gamification/triggers/async';
  const event = { programmaticCode: 'PURCHASE', accountId, operationId, metadata: { amount: 5 } };
  const again = await post(service, path, event);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(await post(service, path, { ...event, metadata: { amount: 6 } })).toMatchObject(REUSED);
  const referral = await post(service, path, { programmaticCode: 'REFERRAL', accountId, operationId });
  expect([referral.status, referral.headers.get('idempotency-replayed')]).toEqual([200, null]);
});

describe.each([
  ['uses each id once', false],
  ['has used an id twice', true],
])('while a host of v0.1.0 does the same, in a client that %s,', (_, isSharing) => {
  test.each(NAMES)('%s has one effect and gets the answer of that host', async (name) => {
    const operation = operationNamed(name);
    if (isSharing) {
      const { accountId } = await operationNamed('EmitTrigger').prepare();
      const event = { accountId, operationId: randomUUID() };
      for (const programmaticCode of ['LOGIN', 'REFERRAL']) {
        const answer = await post(service, '/gamification/triggers', { ...event, programmaticCode });
        expect(answer.status).toBe(200);
      }
    }
    const { accountId, path, body, v010 } = await operation.prepare();
    const operationId = randomUUID();
    let answered: Promise<RestAnswer> | undefined;
    await stored(operation, v010(asIs, { accountId }), operationId, async () => {
      answered = post(service, path(asIs, { accountId }), { ...body(asIs, { accountId }), operationId });
      // The work is done, and it waits for the key.
      await untilBlocked(service);
    });
    const answer = await answered!;
    expect(answer).toMatchObject({ status: 200, body: operation.stored.shown });
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
  });
});

test('nothing that v0.1.0 stored has left a difference', async () => {
  expect(await differencesOf(service.db, service.clientId)).toEqual([]);
});

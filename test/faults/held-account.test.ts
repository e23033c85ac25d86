import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account_IdType } from '../../gen/laurel/v1/account_pb.ts';
import { TriggerService } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { holdAccount, inboxOf, untilApplied } from '../operations/triggers/inbox-fixture.ts';
import { newGame } from '../support/game.ts';
import { startService, type TestService } from '../support/service.ts';
import { LIMITS } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
  await newGame(service, { codes: { STEP: 'SINGLE' }, missions: [{ programmaticCode: 'STEP', target: 1_000 }] });
});
afterAll(() => service.close());

const TIMEOUT = { timeout: 2 * LIMITS.timeout };
const HELD_MS = 8_000;

async function accept(accountId: string, operationId: string): Promise<void> {
  const event = { operationId, accountId, idType: 'EXTERNAL', programmaticCode: 'STEP' };
  expect(await service.rest('POST', '/gamification/triggers/async', event)).toMatchObject({ status: 200 });
}

/** The applied operations. */
async function appliedOf(prefix: string): Promise<string[]> {
  const rows = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ id: string }>(`select id from operation where id like $1`, [`${prefix}-%`]),
  );
  return rows.map(({ id }) => id);
}

/** The progress of the mission after an applied operation, from its stored answer. */
async function progressAfter(accountId: string, operationId: string): Promise<number> {
  const event = { operationId, accountId, idType: 'EXTERNAL', programmaticCode: 'STEP' };
  const { body } = await service.rest('POST', '/gamification/triggers', event);
  return body.progressedMissions[0].progress;
}

test(
  'a held account delays the asynchronous events of no other; its own are applied afterwards, in order and once',
  TIMEOUT,
  async () => {
    for (const account of ['held', ...Array.from({ length: 50 }, (_, at) => `other-${at}`)])
      await service.rest('POST', '/accounts/resolve', { externalId: account });
    const release = await holdAccount(service, 'held');
    const released = new Promise((resolve) => setTimeout(resolve, HELD_MS)).then(release);

    const own = Array.from({ length: 20 }, (_, at) => `held-${at}`);
    for (const id of own.slice(0, 10)) await accept('held', id);
    const begun = performance.now();
    await Promise.all(Array.from({ length: 50 }, (_, at) => accept(`other-${at}`, `other-${at}`)));
    await expect.poll(() => appliedOf('other').then((ids) => ids.length), { timeout: 6_000, interval: 20 }).toBe(50);
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(await appliedOf('held')).toEqual([]);
    // Some calls arrive while others wait, and some just as the row is released.
    for (const id of own.slice(10, 15)) await accept('held', id);
    await released;
    for (const id of own.slice(15)) await accept('held', id);

    await untilApplied(service);
    const progress = [];
    for (const id of own) progress.push(await progressAfter('held', id));
    expect(progress).toEqual(own.map((_, at) => at + 1));
    expect(await inboxOf(service)).toEqual([]);
    await expectExact(service.db);
  },
);

/** The end of a gRPC caller's patience: the signal cancels the call, or its deadline passes. */
type Leaving = { readonly signal?: AbortSignal; readonly timeoutMs?: number };

const stepOf = (accountId: string, operationId: string) => ({
  trigger: { accountId, operationId, idType: Account_IdType.EXTERNAL, programmaticCode: 'STEP' },
});

/** Emits with Connect's client, and returns the error. */
async function failsByConnect(accountId: string, operationId: string, leaving: Leaving): Promise<Code | undefined> {
  const client = createClient(TriggerService, createGrpcTransport({ baseUrl: service.baseUrl }));
  const headers = { authorization: `Bearer ${service.apiKey}` };
  try {
    await client.emitTrigger(stepOf(accountId, operationId), { headers, ...leaving });
    return undefined;
  } catch (error) {
    return ConnectError.from(error).code;
  }
}

/** Emits with grpc-js, and returns the error. */
function failsByGrpcJs(
  accountId: string,
  operationId: string,
  { signal, timeoutMs }: Leaving,
): Promise<Code | undefined> {
  const { emitTrigger } = TriggerService.method;
  const client = new Client(`127.0.0.1:${service.app.port}`, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${service.apiKey}`);
  return new Promise((resolve) => {
    const call = client.makeUnaryRequest(
      `/${TriggerService.typeName}/${emitTrigger.name}`,
      (): Buffer => Buffer.from(toBinary(emitTrigger.input, create(emitTrigger.input, stepOf(accountId, operationId)))),
      (bytes: Buffer) => fromBinary(emitTrigger.output, bytes),
      undefined,
      metadata,
      timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs },
      (error) => {
        client.close();
        resolve(error?.code as Code | undefined);
      },
    );
    signal?.addEventListener('abort', () => call.cancel());
  });
}

test('events over gRPC whose callers cancel, or whose deadline passes, while they wait or are in work, count once', async () => {
  await service.rest('POST', '/accounts/resolve', { externalId: 'left' });
  const release = await holdAccount(service, 'left');
  const cancelling = new AbortController();
  const gone = [];
  for (const [name, fails] of Object.entries({ connect: failsByConnect, 'grpc-js': failsByGrpcJs })) {
    for (const at of [1, 2, 3]) gone.push(fails('left', `${name}-cancelled-${at}`, { signal: cancelling.signal }));
    for (const at of [1, 2, 3]) gone.push(fails('left', `${name}-late-${at}`, { timeoutMs: 700 }));
  }
  // At this time, the others wait for the account, in a worker or in the queue behind it.
  const late = await Promise.all(gone.filter((_, at) => at % 6 > 2));
  cancelling.abort();
  expect(late).toEqual(Array(6).fill(Code.DeadlineExceeded));
  expect(await Promise.all(gone.filter((_, at) => at % 6 < 3))).toEqual(Array(6).fill(Code.Canceled));
  await release();

  const ids = ['connect', 'grpc-js'].flatMap((name) =>
    ['cancelled', 'late'].flatMap((how) => [1, 2, 3].map((at) => `${name}-${how}-${at}`)),
  );
  // A repeat finds the result of the first attempt, or performs the operation.
  const progress = [];
  for (const id of ids) {
    await expect.poll(() => progressAfter('left', id).catch(() => 0), TIMEOUT).toBeGreaterThan(0);
    progress.push(await progressAfter('left', id));
  }
  expect(progress.toSorted((one, other) => one - other)).toEqual(ids.map((_, at) => at + 1));
  await expectExact(service.db);
});

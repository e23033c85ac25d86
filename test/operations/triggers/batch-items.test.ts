import { type Client, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { TriggerService } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let grpc: Client<typeof TriggerService>;
let headers: { authorization: string };

beforeAll(async () => {
  service = await startService();
  await newGame(service, { missions: [{ target: 1_000_000 }] });
  grpc = createClient(TriggerService, createGrpcTransport({ baseUrl: service.baseUrl }));
  headers = { authorization: `Bearer ${service.apiKey}` };
});
afterAll(() => service.close());

const SINGLE = '/gamification/triggers';
const login = (accountId: string, more: object = {}) => ({
  programmaticCode: 'LOGIN',
  accountId,
  idType: 'EXTERNAL',
  ...more,
});

async function progress(accountId: string): Promise<number | undefined> {
  const { body } = await service.rest('GET', `/v1/feed/account/${accountId}?idType=EXTERNAL`);
  return body[0]?.progress;
}

/** JSON with half of a surrogate pair in it; `JSON.stringify` would escape it. */
const HALF = 'half \ud800';

const malformed: Array<[fault: string, event: object]> = [
  ['an empty id', login('')],
  ['an id of 256 characters', login('x'.repeat(256))],
  ['an id with a NUL', login('a\0b')],
  ['an id with half of a surrogate pair', login(HALF)],
  ['no id', { programmaticCode: 'LOGIN' }],
  ['a number for the id', login(7 as never)],
  ['a moment that is none', login('malformed', { occurredAt: 'yesterday' })],
  ['30 February', login('malformed', { occurredAt: '2026-02-30T12:00:00Z' })],
  ['an empty operationId', login('malformed', { operationId: '' })],
  ['the idType of none', login('malformed', { idType: 'ID_TYPE_UNSPECIFIED' })],
  ['the number of an idType', login('malformed', { idType: 2 })],
  ['an unknown idType', login('malformed', { idType: 'SOMEHOW' })],
  ['no code', { accountId: 'malformed', idType: 'EXTERNAL' }],
  ['a code of 101 characters', login('malformed', { programmaticCode: 'C'.repeat(101) })],
  ['an operationId of 129 characters', login('malformed', { operationId: 'o'.repeat(129) })],
  ['an operationId with a NUL', login('malformed', { operationId: 'a\0b' })],
  ['a field that there is not', login('malformed', { amount: 1 })],
  ['metadata that are none', login('malformed', { metadata: 'amount' })],
  ['a NUL in the metadata', login('malformed', { metadata: { amount: '\0' } })],
  ['both spellings of a field', login('malformed', { account_id: 'malformed' })],
];

describe('one malformed event of a batch gets its own 400 and fails no other', () => {
  test.each(malformed)('%s, over REST, as for a single call', async (fault, event) => {
    const [before, after] = [`${fault}, before`, `${fault}, after`];
    const triggers = [login(before), event, login(after)];
    const single = await service.rest('POST', SINGLE, event);
    const { status, body } = await service.rest('POST', `${SINGLE}/batch`, { triggers });
    expect(status).toBe(200);
    const { statusCode, code, message } = single.body;
    expect(statusCode).toBe(400);
    expect(body.results).toEqual([
      { result: expect.objectContaining({ progressedMissions: [expect.objectContaining({ progress: 1 })] }) },
      { error: { statusCode, code, message } },
      { result: expect.objectContaining({ progressedMissions: [expect.objectContaining({ progress: 1 })] }) },
    ]);
    expect([await progress(encodeURIComponent(before)), await progress(encodeURIComponent(after))]).toEqual([1, 1]);
  });

  test.each([[null], [7], ['LOGIN'], [[]]])('%j in place of an event', async (event) => {
    const triggers = [login('beside'), event];
    const { status, body } = await service.rest('POST', `${SINGLE}/batch`, { triggers });
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      { result: {} },
      { error: { statusCode: 400, code: 'BAD_REQUEST', message: expect.stringMatching(/must be a JSON object/) } },
    ]);
  });

  const overGrpc: Array<[fault: string, event: object]> = [
    ['an empty id', { accountId: '' }],
    ['an id of 256 characters', { accountId: 'x'.repeat(256) }],
    ['an id with a NUL', { accountId: 'a\0b' }],
    ['an unknown idType', { idType: 7 }],
    ['no code', { programmaticCode: '' }],
    ['a code with a NUL', { programmaticCode: 'LOG\0IN' }],
    ['a code of 101 characters', { programmaticCode: 'C'.repeat(101) }],
    ['an operationId of 129 characters', { operationId: 'o'.repeat(129) }],
    ['an operationId with a NUL', { operationId: 'a\0b' }],
    ['a moment beyond the calendar', { occurredAt: { seconds: 10n ** 15n, nanos: 0 } }],
    ['a NUL in the metadata', { metadata: { amount: '\0' } }],
  ];
  test.each(overGrpc)('%s, over gRPC, as for a single call', async (fault, more) => {
    const sound = { programmaticCode: 'LOGIN', accountId: `${fault}, gRPC`, idType: Account_IdType.EXTERNAL };
    const event = { ...sound, ...more };
    const refusal = await grpc.emitTrigger({ trigger: event }, { headers }).catch((error: unknown) => error);
    const { results } = await grpc.emitTriggerBatch({ triggers: [event, sound] }, { headers });
    expect(results.map(({ outcome }) => outcome)).toMatchObject([
      { case: 'error', value: { statusCode: 400, code: 'BAD_REQUEST' } },
      { case: 'result', value: { progressedMissions: [{ progress: 1 }] } },
    ]);
    const message = (results[0]!.outcome.value as { message: string }).message;
    expect((refusal as { rawMessage: string }).rawMessage.replaceAll('trigger.', '')).toBe(message);
  });

  test('of many, each has its own words, and a repeat of the call finds every operation id as it left it', async () => {
    const sound = Array.from({ length: 300 }, (_, index) => login(`mixed-${index}`, { operationId: `mixed-${index}` }));
    const triggers = sound.flatMap((event, index) => [event, malformed[index % malformed.length]![1]]);
    const [first, again] = [
      await service.rest('POST', `${SINGLE}/batch`, { triggers }),
      await service.rest('POST', `${SINGLE}/batch`, { triggers }),
    ];
    expect(first.status).toBe(200);
    expect(first.body.results.map((each: object) => Object.keys(each)[0])).toEqual(
      triggers.map((_, index) => (index % 2 === 0 ? 'result' : 'error')),
    );
    expect(again.body).toEqual(first.body);
    expect(await progress('mixed-299')).toBe(1);
  });
});

describe('what keeps the body from being read is the error of the call', () => {
  const unreadable: Array<[fault: string, body: unknown, message: RegExp]> = [
    ['no JSON', '{"triggers": [', /not valid JSON/],
    ['events that are no list', { triggers: login('ada') }, /^triggers must be an array/],
    ['no events', { triggers: [] }, /^triggers /],
    ['null for the list', { triggers: null }, /^triggers /],
    ['1,001 events', { triggers: Array.from({ length: 1_001 }, () => login('ada')) }, /^triggers /],
    ['another field beside them', { triggers: [login('ada')], dryRun: true }, /"dryRun" is not a field/],
  ];
  test.each(unreadable)('%s', async (_, body, message) => {
    const answer = await service.rest('POST', `${SINGLE}/batch`, body);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: expect.stringMatching(message) },
    });
  });
});

test('a single event with text that cannot be stored does not fail those that other callers send in that moment', async () => {
  const sound = (index: number) => ({
    trigger: { programmaticCode: 'LOGIN', accountId: `beside-${index}`, idType: Account_IdType.EXTERNAL },
  });
  const bad = { trigger: { ...sound(0).trigger, operationId: 'a\0b' } };
  const calls = Array.from({ length: 30 }, (_, index) =>
    grpc.emitTrigger(index % 3 === 0 ? bad : sound(index), { headers }).then(
      () => 'applied',
      (error: { rawMessage: string }) => error.rawMessage,
    ),
  );
  const expected = calls.map((_, index) => (index % 3 === 0 ? expect.stringMatching(/operationId .*NUL/) : 'applied'));
  expect(await Promise.all(calls)).toEqual(expected);
});

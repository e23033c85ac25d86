import { create, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Account_IdType } from '../../gen/laurel/v1/account_pb.ts';
import { TriggerSchema } from '../../gen/laurel/v1/trigger_pb.ts';
import { newGame } from '../support/game.ts';
import { startService, type TestService } from '../support/service.ts';
import { emitByHand } from './grpc-by-hand.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await newGame(service);
});
afterAll(() => service.close());

const event = { programmaticCode: 'LOGIN', accountId: 'attacker', idType: 'EXTERNAL' };

describe('names that JavaScript gives a meaning', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

  test.each(names)('a key %s is a field or a value like any other, and changes no object', async (name) => {
    const bodies = [
      `{"${name}": {"polluted": true}}`,
      `{"programmaticCode": "LOGIN", "accountId": "a", "idType": "EXTERNAL", "metadata": {"${name}": {"polluted": 1}}}`,
      `{"programmaticCode": "LOGIN", "accountId": "a", "idType": "EXTERNAL", "metadata": {"a": {"${name}": {"polluted": 1}}}}`,
      `{"programmaticCode": "${name}", "accountId": "${name}", "idType": "EXTERNAL"}`,
    ];
    for (const body of bodies) {
      const { status } = await service.rest('POST', '/gamification/triggers', body);
      expect([400, 404]).toContain(status);
    }
    const filters = encodeURIComponent(JSON.stringify({ filters: [{ field: name, value: name }] }));
    const listed = await service.rest('GET', `/accounts/paginated?page=1&limit=1&filters=${filters}`);
    expect(listed.status).toBe(400);
    expect((await service.rest('GET', `/accounts/paginated?page=1&limit=1&${name}=1`)).status).toBe(400);
    expect((await service.rest('GET', `/accounts/paginated?page=1&limit=1&${name}.polluted=1`)).status).toBe(400);
    expect((await service.rest('GET', `/${name}`)).status).toBe(404);
    expect((await service.rest('POST', '/accounts', { externalId: name, name })).status).toBe(201);
    expect((await service.rest('POST', '/accounts/resolve', { externalId: name })).body).toMatchObject({ name });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('metadata that differ in such a key only are different events', async () => {
    const { status } = await service.rest(
      'POST',
      '/gamification/triggers',
      '{"programmaticCode": "LOGIN", "accountId": "p", "idType": "EXTERNAL", "metadata": {"__proto__": 1}}',
    );
    expect(status).toBe(400);
  });
});

describe('depth', () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  test.each([101, 5_000, 150_000])('%i levels of JSON are a 400 in a body, wherever they stand', async (depth) => {
    for (const path of ['/gamification/triggers', '/accounts', '/accounts/resolve']) {
      expect((await service.rest('POST', path, deep(depth))).status).toBe(400);
    }
    const nested = `{"programmaticCode": "LOGIN", "accountId": "a", "idType": "EXTERNAL", "metadata": ${deep(depth)}}`;
    expect((await service.rest('POST', '/gamification/triggers', nested)).status).toBe(400);
    const connected = await service.rest('POST', '/laurel.v1.TriggerService/EmitTrigger', `{"trigger": ${nested}}`);
    expect(connected.status).toBe(400);
    const lists = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect((await service.rest('POST', '/gamification/triggers', lists)).status).toBe(400);
  });

  test('a filter as deep as a query can be long is a 400', async () => {
    const filters = `{"filters":[{"field":"name","value":${'['.repeat(2_000)}${']'.repeat(2_000)}}]}`;
    const path = `/accounts/paginated?page=1&limit=1&filters=${encodeURIComponent(filters)}`;
    expect((await service.rest('GET', path)).status).toBe(400);
  });

  test.each([101, 1_000, 5_000, 60_000])('%i levels in a gRPC message are INVALID_ARGUMENT', async (depth) => {
    expect(await emitByHand(service, deepTrigger(depth))).toBe('3');
  });
});

/** An event whose metadata has nested lists, written from the inside out, because a builder of messages would recurse too. */
function deepTrigger(depth: number): Buffer {
  const parts = [Buffer.from([0x20, 1])];
  let length = 2;
  const precede = (bytes: Uint8Array) => {
    parts.push(Buffer.from(bytes));
    length += bytes.length;
  };
  const wrapIn = (field: number) => precede(Buffer.concat([Buffer.from([(field << 3) | 2]), varint(length)]));
  for (let level = 0; level < depth; level += 1) {
    // The list's one value, and the value that contains the list.
    wrapIn(1);
    wrapIn(6);
  }
  wrapIn(2);
  precede(Buffer.from('\n\u0001a'));
  wrapIn(1);
  wrapIn(4);
  precede(toBinary(TriggerSchema, create(TriggerSchema, { ...event, idType: Account_IdType.EXTERNAL })));
  wrapIn(1);
  return Buffer.concat(parts.toReversed());
}

function varint(value: number): Buffer {
  const bytes = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

describe('numbers', () => {
  test.each([
    '1e309',
    '-1e309',
    '1e15',
    '9007199254740993',
    '-1',
    '0.00001',
    '"NaN"',
    '"Infinity"',
    '"1"',
    'null',
    '[]',
    '{}',
  ])('an amount of %s is a 400, or nothing, and never a number that nobody sent', async (amount) => {
    const body = `{"programmaticCode": "PURCHASE", "accountId": "n", "idType": "EXTERNAL", "metadata": {"amount": ${amount}}}`;
    const { status, body: answer } = await service.rest('POST', '/gamification/triggers', body);
    expect(status, JSON.stringify(answer)).toBe(400);
  });

  test.each(['2147483648', '-2147483649', '1e10', '1.5', '"x"', '99999999999999999999'])(
    'a page, a limit and a quantity of %s are a 400',
    async (number) => {
      const page = encodeURIComponent(number.replaceAll('"', ''));
      expect((await service.rest('GET', `/accounts/paginated?page=${page}&limit=10`)).status).toBe(400);
      expect((await service.rest('GET', `/accounts/paginated?page=1&limit=${page}`)).status).toBe(400);
      const stock = `{"name": "Agreement", "stock": ${number}}`;
      expect((await service.rest('POST', '/admin/agreements', stock)).status).toBe(400);
    },
  );

  test('the last page that a number can name is empty, not an error of the database', async () => {
    const { status, body } = await service.rest('GET', '/accounts/paginated?page=2147483647&limit=1000');
    expect({ status, rows: body.rows }).toEqual({ status: 200, rows: [] });
  });
});

describe('text', () => {
  const injections = [
    `' or 1=1 --`,
    `"; drop table account; --`,
    `$1`,
    `\\'; select pg_sleep(5); --`,
    `%' or '%'='`,
    `?`,
    `:x`,
  ];

  test.each(injections)('%s is text to the database', async (words) => {
    const made = await service.rest('POST', '/accounts', { externalId: words, name: words, email: 'a@example.com' });
    expect(made).toMatchObject({ status: 201, body: { externalId: words, name: words } });
    for (const [field, value] of [
      ['name', words],
      ['externalId', [words]],
    ] as const) {
      const filters = encodeURIComponent(JSON.stringify({ filters: [{ field, value }] }));
      const { status, body } = await service.rest('GET', `/accounts/paginated?page=1&limit=10&filters=${filters}`);
      expect({ status, names: body.rows.map((row: { name: string }) => row.name) }).toEqual({
        status: 200,
        names: [words],
      });
    }
    const sorted = await service.rest('GET', `/accounts/paginated?page=1&limit=10&sort=${encodeURIComponent(words)}`);
    expect(sorted.status).toBe(400);
    const called = await service.rest('POST', '/gamification/triggers', { ...event, operationId: words });
    expect(called.status).toBe(200);
    expect((await service.rest('GET', `/accounts/${encodeURIComponent(words)}`)).status).toBe(400);
  });

  test('line breaks and escapes of a terminal do not get into the log as they are', async () => {
    const forged = `x\r\n{"level":30,"msg":"forged"}\u001b[2J`;
    await service.rest('POST', '/accounts', { externalId: forged, name: forged });
    await service.rest('GET', `/${encodeURIComponent(forged)}`);
    await fetch(`${service.baseUrl}/accounts/x`, {
      headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01-"forged"` },
    });
    expect(service.log.filter((line) => line.includes('"msg":"forged"'))).toEqual([]);
    expect(service.log.join('')).not.toContain('\u001b');
  });

  test('what takes long to match is matched at once', async () => {
    const evil = `${'a'.repeat(50_000)}!`;
    const started = performance.now();
    await service.rest('POST', '/admin/event-definitions', { programmaticCode: evil, type: 'SINGLE' });
    await service.rest('POST', '/accounts', { externalId: 'e', email: `${'a.'.repeat(25_000)}@` });
    await service.rest('PUT', '/webhooks/rewards', { endpoint: `http://${'a-'.repeat(20_000)}` });
    await service.rest('POST', '/gamification/triggers', { ...event, occurredAt: `${'1'.repeat(50_000)}Z` });
    const filters = (value: string) => encodeURIComponent(JSON.stringify({ filters: [{ field: 'createdAt', value }] }));
    await service.rest('GET', `/accounts/paginated?page=1&limit=1&filters=${filters('1'.repeat(7_000))}`);
    await service.rest('GET', '/accounts/paginated?page=1&limit=1', undefined, `lrl_key_${'0'.repeat(10_000)}`);
    await service.rest('GET', `/${'a/'.repeat(5_000)}`);
    await fetch(`${service.baseUrl}/healthz`, { headers: { traceparent: `00-${'-'.repeat(10_000)}` } });
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

test('after all of it nothing was unforeseen', () => {
  expect(service.log.filter((line) => line.includes('unforeseen error'))).toEqual([]);
});

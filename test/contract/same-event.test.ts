import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fromJson, toJson } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  EmitTriggerRequestSchema,
  EmitTriggerResponseSchema,
  TriggerService,
} from '../../gen/laurel/v1/trigger_service_pb.ts';
import { callByGrpcJs } from '../server/grpc-js.ts';
import { newGame, newProduct } from '../support/game.ts';
import { startService, type TestService } from '../support/service.ts';

/** Sends an event with a real client, and returns the answer as JSON. */
type Client = (event: object) => Promise<unknown>;

const run = promisify(execFile);
const OPERATION = 'laurel.v1.TriggerService/EmitTrigger';

let service: TestService;

const curl =
  (...version: string[]): Client =>
  async (event) => {
    const { stdout } = await run('curl', [
      '-sS',
      '--fail-with-body',
      ...version,
      `${service.baseUrl}/gamification/triggers`,
      '-H',
      `authorization: Bearer ${service.apiKey}`,
      '-H',
      'content-type: application/json',
      '-d',
      JSON.stringify(event),
    ]);
    return JSON.parse(stdout);
  };

/** Reads the schema from the service itself. `--emit-defaults` writes fields with zero values, as REST does. */
const bufCurl =
  (protocol: string, ...more: string[]): Client =>
  async (event) => {
    const { stdout } = await run('node_modules/.bin/buf', [
      'curl',
      '--protocol',
      protocol,
      ...more,
      '--emit-defaults',
      '-H',
      `authorization: Bearer ${service.apiKey}`,
      '-d',
      JSON.stringify({ trigger: event }),
      `${service.baseUrl}/${OPERATION}`,
    ]);
    return JSON.parse(stdout);
  };

const grpcJs: Client = async (event) => {
  const request = fromJson(EmitTriggerRequestSchema, { trigger: JSON.parse(JSON.stringify(event)) });
  const address = `127.0.0.1:${service.app.port}`;
  const response = await callByGrpcJs(address, TriggerService.method.emitTrigger, request, service.apiKey);
  return toJson(EmitTriggerResponseSchema, response, { alwaysEmitImplicit: true });
};

const clients: Array<[string, Client]> = [
  ['REST by curl over HTTP/1.1', curl('--http1.1')],
  ['REST by curl over HTTP/2', curl('--http2-prior-knowledge')],
  ['Connect by buf curl over HTTP/1.1', bufCurl('connect')],
  ['Connect by buf curl over HTTP/2', bufCurl('connect', '--http2-prior-knowledge')],
  ['gRPC by grpc-js', grpcJs],
  ['gRPC by buf curl', bufCurl('grpc', '--http2-prior-knowledge')],
  ['gRPC-Web by buf curl over HTTP/1.1', bufCurl('grpcweb')],
  ['gRPC-Web by buf curl over HTTP/2', bufCurl('grpcweb', '--http2-prior-knowledge')],
];

beforeAll(async () => {
  service = await startService();
  const productId = await newProduct(
    service,
    clients.map((_, index) => `CODE-${index}`),
  );
  await newGame(service, {
    missions: [{ name: 'Spend', programmaticCode: 'PURCHASE', target: 19.9 }],
    rewards: [
      { name: 'Points', type: 'POINTS', amount: 2.5 },
      { name: 'Coupon', type: 'PRODUCTS', amount: 1, productId },
    ],
  });
  await service.rest('PUT', '/webhooks/rewards', { endpoint: 'http://127.0.0.1:1/' });
});
afterAll(() => service.close());

/** The first client's answer and rows, with which all others are compared. */
let expected: { answer: unknown; rows: unknown } | undefined;

test.each(clients)('%s: the same answer and the same stored rows', async (_name, client) => {
  const number = clients.findIndex(([, each]) => each === client);
  const accountId = `account-${number}`;
  const answer = await client({
    programmaticCode: 'PURCHASE',
    accountId,
    idType: 'EXTERNAL',
    metadata: { amount: 20.1 },
    operationId: `operation-${number}`,
  });
  expect(answer).toMatchObject({
    progressedMissions: [{ previousProgress: 0, progress: 19.9, status: 'COMPLETED' }],
    rewards: [
      { amount: 2.5, status: 'DELIVERED' },
      { codes: [{ code: `CODE-${number}` }], status: 'DELIVERED' },
    ],
  });
  const seen = { answer: normalised(asSent(answer), number), rows: normalised(await rowsOf(accountId), number) };
  expected ??= seen;
  expect(seen).toEqual(expected);
});

/** All rows of any table that the account's event has written. */
async function rowsOf(externalId: string): Promise<Record<string, object[]>> {
  return service.db.unitOfWork(service.clientId, async (uow) => {
    const [account] = await uow.query<{ id: string }>('select id from account where external_id = $1', [externalId]);
    const tables = await uow.query<{ name: string; column: string }>(
      `select table_name as name, column_name as column from information_schema.columns
        where table_schema = 'public' and (column_name = 'account_id' or (table_name, column_name) = ('account', 'id'))
          and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')`,
    );
    const rows: Record<string, object[]> = {};
    for (const { name, column } of tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const found = await uow.query<{ row: object }>(
        `select to_jsonb(x) as row from ${name} x where x.${column}::text = $1 order by 1::text`,
        [account?.id],
      );
      if (found.length > 0) rows[name] = found.map(({ row }) => row);
    }
    const operations = await uow.query<{ row: object }>('select to_jsonb(o) as row from operation o where id = $1', [
      externalId.replace('account', 'operation'),
    ]);
    expect(Object.keys(rows)).toEqual(
      expect.arrayContaining(['account', 'assignment', 'earned_reward', 'point_entry', 'redemption']),
    );
    expect(operations).toHaveLength(1);
    return { ...rows, operation: operations.map(({ row }) => row) };
  });
}

/** Replaces ids by their order, times by a word, and each client's own names by one name. */
function normalised(value: unknown, number: number): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(value, (key, each: unknown) =>
    /hash|fingerprint|response/.test(key) ? typeof each : each,
  )
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      ids.set(id, ids.get(id) ?? `id ${ids.size + 1}`);
      return ids.get(id)!;
    })
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+(Z|\+00:00)/g, 'a moment')
    .replaceAll(new RegExp(`\\b(account|operation|CODE)-${number}\\b`, 'g'), '$1');
  return JSON.parse(text);
}

/** REST writes `null` for a field that gRPC leaves unset, and omits the lists of rewards that were not delivered if they are empty. */
function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, each: unknown) =>
    ['pendingRewards', 'skippedRewards', 'milestones'].includes(key) && Array.isArray(each) && each.length === 0
      ? undefined
      : (each ?? undefined),
  );
}

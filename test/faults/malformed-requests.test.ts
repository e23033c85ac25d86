import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../gen/routes.ts';
import type { Route } from '../../src/gateway/route.ts';
import { type Fields, hasSample, nameOf, restRequest, samplesOf } from '../contract/support/requests.ts';
import { newWorld, tokenFor, type World } from '../contract/support/world.ts';
import { startService, type TestService } from '../support/service.ts';
import { unforeseen } from '../support/log-guard.ts';
import { LIMITS, seed, soakSeconds } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { brokenJson, changed, changes } from './support/malformed-json.ts';

let service: TestService;
let world: World;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

beforeAll(async () => {
  service = await startService();
  world = await newWorld(service, service, 'WORLD');
});
afterAll(async () => {
  agent.destroy();
  await service.close();
});

/** One request; its address has only characters that HTTP allows. */
type Sent = { readonly method: string; readonly path: string; readonly body: string | Uint8Array | undefined };

/** Requests to a route that were valid before a change to their fields, their text or their address. */
function malformed(route: Route): fc.Arbitrary<Sent> {
  const samples = hasSample(route) ? samplesOf(route) : [() => ({})];
  const sample = fc.nat(samples.length - 1).map((index) => samples[index]!(world));
  const ofFields = fc.tuple(sample, changes).map(([fields, made]) => asSent(route, changed(fields, made)));
  const ofText = fc.tuple(sample, brokenJson).map(([fields, breaking]) => {
    const sent = asSent(route, fields);
    return { ...sent, body: breaking(String(sent.body ?? '{}')) };
  });
  const ofAddress = fc
    .tuple(sample, fc.constantFrom(...ADDRESSES), fc.string({ maxLength: 30 }))
    .map(([fields, breaking, junk]): Sent => {
      const sent = asSent(route, fields);
      return { ...sent, path: breaking(sent.path, encodeURIComponent(junk)) };
    });
  return fc.oneof(
    { weight: 6, arbitrary: ofFields },
    { weight: 2, arbitrary: ofText },
    { weight: 2, arbitrary: ofAddress },
  );
}

function asSent(route: Route, fields: Fields): Sent {
  const { method, path, body } = restRequest(route, withTextInAddress(route, fields));
  return { method, path: path.slice(0, ADDRESS_MAX), body: body === undefined ? undefined : JSON.stringify(body) };
}

/** The maximum length of an address: HTTP itself refuses some 65,000 characters, which is not tested here. */
const ADDRESS_MAX = 12_000;

/** An object in the path or the query becomes its JSON. */
function withTextInAddress({ path, body }: Route, fields: Fields): Fields {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!.replaceAll('_', '').toLowerCase()));
  const inBody = (name: string) => (body === '*' ? !inPath.has(name.toLowerCase()) : name === body);
  const asText = ([name, value]: [string, unknown]) =>
    [name, typeof value === 'object' && !inBody(name) ? JSON.stringify(value) : value] as const;
  return Object.fromEntries(Object.entries(fields).map(asText));
}

const ADDRESSES: ReadonlyArray<(path: string, junk: string) => string> = [
  (path, junk) => `${path}${path.includes('?') ? '&' : '?'}filters=${junk}`,
  (path, junk) => `${path}?page=${junk}&limit=${junk}&idType=${junk}&before=${junk}`,
  (path) => `${path}?page=1&page=2&limit=1&limit=x`,
  (path) => `${path}?filters=${encodeURIComponent('{"filters":[{"field":"id","value":{"a":[]}}],"matchAll":1}')}`,
  (path) => `${path}?filters=${encodeURIComponent(`{"filters":${'['.repeat(2_000)}`)}`,
  (path) => `${path}?${'a=1&'.repeat(2_000)}`,
  (path, junk) => path.replace(/[0-9a-f-]{36}/, junk),
  (path) => path.replace(/[0-9a-f-]{36}/, '%ff%fe'),
  (path) => path.replace(/[0-9a-f-]{36}/, '%'),
  (path, junk) => `${path}/${junk}`,
  (path) => `${path}//../..`,
  (path) => `${path}?%`,
  (path) => path.toUpperCase(),
];

function send({ method, path, body }: Sent): Promise<{ status: number; type: string; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${path.startsWith('/admin/clients') ? service.serviceToken : tokenFor(service, path)}`,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const { port } = service.app;
    const sending = httpRequest({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      const { statusCode: status = 0 } = response;
      const type = response.headers['content-type'] ?? '';
      text(response).then((read) => resolve({ status, type, text: read }), reject);
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

/** Checks that the status is below 500, and that an error has the documented form. */
async function expectWords(sent: Sent): Promise<void> {
  const { status, type, text: answered } = await send(sent);
  if (status < 400) return;
  // 501 says that the operation does not exist here.
  expect(status === 501 || status < 500, answered).toBe(true);
  expect(type).toBe('application/json');
  const { details = [], ...error } = JSON.parse(answered);
  expect(details.every(({ message }: { message: string }) => message !== '')).toBe(true);
  expect(error).toEqual({
    statusCode: status,
    code: expect.stringMatching(/^[A-Z_]+$/),
    message: expect.stringMatching(/\S/),
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
}

/** Deletions of the resources that requests use are last. */
const isDestructive = (name: string) => /\.(delete|erase|remove|revoke|discard|end|archive|disable)/.test(name);
const cases = routes
  .map((route) => [nameOf(route), route] as const)
  .toSorted(([a], [b]) => Number(isDestructive(a)) - Number(isDestructive(b)));

/** Concurrent requests. */
const TOGETHER = 8;

test.each(cases)(
  '%s refuses what makes no sense in the documented words, and fails on nothing',
  LIMITS,
  async (_, route) => {
    const requests = fc.array(malformed(route), { minLength: TOGETHER, maxLength: TOGETHER });
    const property = fc.asyncProperty(requests, async (sent) => void (await Promise.all(sent.map(expectWords))));
    const bounds =
      soakSeconds > 0
        ? { numRuns: 1_000_000, interruptAfterTimeLimit: (soakSeconds * 1_000) / cases.length }
        : { numRuns: 3 };
    // Each route has a separate seed, or all would be tested with the same few choices.
    await fc.assert(property, { seed: seed + cases.findIndex(([name]) => name === nameOf(route)), ...bounds });
  },
);

test('after all of them nothing is unforeseen in the log, and the accounts are exact', async () => {
  expect(unforeseen(service.log)).toEqual([]);
  await expectExact(service.db);
});

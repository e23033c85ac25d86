// The OpenAPI description matches the service: examples, messages, headers and webhooks.
import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DescEnum } from '@bufbuild/protobuf';
import { WebhookTypeSchema } from '../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { Change_KindSchema } from '../../gen/laurel/v1/change_pb.ts';
import { newId } from '../../src/kernel/ids.ts';
import { cookiesOf, settledUser } from '../operations/clients/console.ts';
import { type Received, startReceiver } from '../operations/webhooks/receiver.ts';
import type { RestAnswer, TestService } from '../support/service.ts';
import { startContractService } from './support/contract-service.ts';
import { expectValid, expectWebhook, openapi, type Operation, pointerTo, resolved } from './support/openapi.ts';

type Stated = { readonly name: string; readonly method: string; readonly path: string; readonly operation: Operation };
type Example = { readonly value: unknown };
type Body = Pick<NonNullable<Operation['requestBody']>, 'content'> | { readonly content?: undefined };

const operations: readonly Stated[] = Object.entries(openapi.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
  })),
);
const json = ({ content }: Body) => content?.['application/json'];

let service: TestService;
beforeAll(async () => (service = await startContractService()));
afterAll(() => service.close());

test('every body of a request, of an answer, of an error and of a webhook has an example that its schema takes', () => {
  const hooks = Object.entries(openapi.webhooks).map(([name, { post }]) => ({
    name,
    segments: ['webhooks', name, 'post'],
    operation: post,
  }));
  const calls = operations.map((each) => ({ ...each, segments: ['paths', each.path, each.method.toLowerCase()] }));
  let looked = 0;
  for (const { name, segments, operation } of [...calls, ...hooks]) {
    const bodies = [
      ...(operation.requestBody === undefined
        ? []
        : [{ at: [...segments, 'requestBody'], body: operation.requestBody }]),
      ...Object.entries(operation.responses).map(([status, stated]) => ({
        at: '$ref' in stated ? stated.$ref.slice(2).split('/') : [...segments, 'responses', status],
        body: resolved<Body>(stated),
      })),
    ];
    for (const { at, body } of bodies) {
      const media = json(body);
      if (media === undefined) continue;
      const examples = Object.entries(media.examples ?? {});
      expect(examples.length, `${name}: ${at.join('/')}`).toBeGreaterThan(0);
      for (const [called, ref] of examples) {
        expectValid(
          pointerTo(...at, 'content', 'application/json', 'schema'),
          resolved<Example>(ref).value,
          `${name} shows, as ${called},`,
        );
        looked += 1;
      }
    }
  }
  expect(looked).toBeGreaterThan(700);
});

test('the example of an error has the status under which it stands, and a code that the answer names', () => {
  for (const { name, operation } of operations) {
    for (const [status, stated] of Object.entries(operation.responses)) {
      if (status === 'default' || Number(status) < 400) continue;
      for (const ref of Object.values(json(resolved<Body>(stated))?.examples ?? {})) {
        const { statusCode, code } = resolved<Example>(ref).value as { statusCode: number; code: string };
        expect(statusCode, `${name}: ${code}`).toBe(Number(status));
        if (status !== '401') expect(JSON.stringify(resolved(stated))).toContain(code);
      }
    }
  }
});

/** The parts that differ between answers: ids, times, numbers, quoted texts. */
const masked = (message: string) =>
  message
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '#')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '#')
    .replaceAll(/'[^']*'/g, '#')
    .replaceAll(/\d+/g, '#');

/** One call that consists of examples only. */
function example({ method, path, operation }: Stated): Promise<RestAnswer> {
  const shown = (operation.parameters ?? []).filter((each) => each.example !== undefined);
  const filled = shown
    .filter((each) => each.in === 'path')
    .reduce((url, each) => url.replace(`{${each.name}}`, encodeURIComponent(String(each.example))), path);
  const query = new URLSearchParams(
    shown.filter((each) => each.in === 'query').map((each) => [each.name, String(each.example)]),
  );
  const [ref] = Object.values(json(operation.requestBody ?? {})?.examples ?? {});
  const body = ref === undefined ? undefined : resolved<Example>(ref).value;
  const tokens = [
    [/^\/admin\/clients/, service.serviceToken],
    [/\/backfill$/, service.adminToken],
  ] as const;
  const token = tokens.find(([pattern]) => pattern.test(path))?.[1];
  return service.rest(method, query.size > 0 ? `${filled}?${query}` : filled, body, token);
}

test('every example of a request is understood, and refused only because it names what does not exist', async () => {
  const codes = new Map<string, string[]>();
  const received = new Map<string, string[]>();
  for (const each of operations) {
    // The answer and its headers are checked against the description on the way: see startContractService.
    const { status, body } = await example(each);
    if (status < 400) continue;
    codes.set(body.code, [...(codes.get(body.code) ?? []), `${each.name}: ${body.message}`]);
    received.set(body.code, [...(received.get(body.code) ?? []), masked(body.message)]);
  }
  // A body that refers to a missing resource is answered with 400.
  const unknown =
    /^[A-Z]+ [^ ]+ (There is no \w+( \w+)* 019cadd4-|[\w.[\]]+: there is no \w+ 019cadd4-|(levelTrack|leaderboard)\.statisticCode '\w+' is no statistic)/;
  expect((codes.get('BAD_REQUEST') ?? []).filter((message) => !unknown.test(message.replace(':', '')))).toEqual([]);
  const refused = [...codes.keys()].filter((code) => !/_NOT_FOUND$|^BAD_REQUEST$/.test(code));
  // The account is already resolved. The client takes no backfill, sells no freezes and keeps no changes. The days of the example have
  // begun, no user has signed in, and the webhook's own example has removed it.
  expect(refused.toSorted()).toEqual([
    'ACCOUNT_ALREADY_EXISTS',
    'BACKFILL_NOT_ENABLED',
    'CHANGE_FEED_OFF',
    'SESSION_ENDED',
    'SESSION_REQUIRED',
    'SIGN_IN_REFUSED',
    'STREAK_FREEZES_NOT_SOLD',
    'VACATION_DAYS_BEGUN',
    'WEBHOOK_NOT_CONFIGURED',
  ]);
  for (const path of ['/accounts/paginated?page=0&limit=50', `/accounts/${newId()}`]) {
    const { body } = await service.rest('GET', path);
    received.set(body.code, [...(received.get(body.code) ?? []), masked(body.message)]);
  }
  for (const [code, messages] of received) {
    const shown = openapi.components.examples[code]?.value as { message: string } | undefined;
    expect(messages, code).toContain(masked(shown?.message ?? ''));
  }
});

test('the message of every example of an error is one of the service', () => {
  const sources = globSync('src/**/*.ts', { exclude: ['src/gateway/codegen/**', 'src/console/**'] })
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
    .replaceAll(/['"`] \+\n\s*['"`]/g, '');
  const errors = Object.entries(openapi.components.examples).filter(([name]) => /^[A-Z_\d]+$/.test(name));
  expect(errors.length).toBeGreaterThan(60);
  const unheard = errors.filter(([name, { value }]) => {
    if (name === 'BAD_REQUEST') return false;
    const words = (value as { message: string }).message.split(' ');
    const runs = words.slice(2).map((_, index) => words.slice(index, index + 3).join(' '));
    // If a message has several sentences, the last one has no variable part.
    const isLiteral = words.slice(0, -1).some((word) => word.endsWith('.'));
    return !runs.some((run) => sources.includes(run)) || (isLiteral && !sources.includes(runs.at(-1) ?? ''));
  });
  expect(unheard.map(([name]) => name)).toEqual([]);
});

test('a webhook comes with the headers and the body that the section of webhooks describes', async () => {
  const namesOf = ({ values }: DescEnum) => values.filter(({ number }) => number !== 0).map(({ name }) => name);
  const types = namesOf(WebhookTypeSchema).map(kebabCase);
  const kinds = namesOf(Change_KindSchema);
  expect(Object.keys(openapi.webhooks)).toEqual([...types, ...kinds.map((kind) => `endpoint-${kebabCase(kind)}`)]);
  const receiver = await startReceiver();
  for (const name of types) {
    await service.rest('PUT', `/webhooks/${name}`, { endpoint: receiver.url, signed: true });
    expect((await service.rest('POST', `/webhooks/${name}/test`)).body).toEqual({ success: true });
    expectDescribed(name, receiver.received.at(-1)!);
  }
  for (const form of ['PLAIN', 'CLOUD_EVENTS']) {
    const draft = { name: form, url: receiver.url, types: kinds, form };
    const { body: endpoint } = await service.rest('POST', '/webhooks/endpoints', { endpoint: draft });
    for (const type of kinds) {
      await service.rest('POST', `/webhooks/endpoints/${endpoint.id}/test`, { type });
      expectDescribed(`endpoint-${kebabCase(type)}`, receiver.received.at(-1)!);
    }
  }
  await receiver.close();
});

function expectDescribed(name: string, { headers, body }: Received): void {
  expectWebhook(name, headers, body);
  const { parameters = [] } = openapi.webhooks[name]?.post ?? {};
  expect(Object.keys(headers)).toEqual(expect.arrayContaining(parameters.map((each) => each.name)));
}

function kebabCase(word: string): string {
  return word.toLowerCase().replaceAll('_', '-');
}

test('the cookies of the console are called as the service sets them', async () => {
  const { answer } = await settledUser(service);
  const set = cookiesOf(answer).matchAll(/(?:^|; )(?:__Host-)?([^=]+)=/g);
  const names = new Set([...set].map(([, name]) => name));
  expect(names).toContain('laurel_session');
  const text = JSON.stringify(openapi);
  for (const name of names) expect(text).toContain(name);
  const mentions = text.matchAll(/(?<=`)(?:__Host-)?(laurel_?[A-Za-z_]+)(?=`)/g);
  expect([...mentions].map(([, name]) => name).filter((name) => /[A-Z]/.test(name!))).toEqual([]);
  const examples = text.matchAll(/"example":"(laurel[^=]*)=/g);
  for (const [, name] of examples) expect(names).toContain(name);
});

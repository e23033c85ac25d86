import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../gen/routes.ts';
import type { Route } from '../../src/gateway/route.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { overRest } from './support/refusal-callers.ts';
import { type Fields, nameOf, samplesOf } from './support/requests.ts';
import { newWorld, tokenFor, type World } from './support/world.ts';

let service: TestService;
let world: World;

beforeAll(async () => {
  service = await sharedService();
  world = await newWorld(service, service, 'WORLD');
});
afterAll(() => service.close());

/** Values of the wrong type. */
const JUNK: readonly unknown[] = ['', 'x'.repeat(5_000), 'no such word', -1, 1.5, [], ['x'], {}, true];

/** A call with one wrong field, and the sender's name of that field. */
type Faulty = { readonly name: string; readonly fields: Fields };

function* faultsOf(route: Route): Iterable<Faulty> {
  for (const sample of samplesOf(route)) {
    const good = sample(world);
    const inner = route.body === '*' || route.body === '' ? undefined : (good[route.body] as Fields | undefined);
    for (const name of namesOf(route, route.body)) {
      for (const junk of JUNK) {
        yield inner === undefined || name in good
          ? { name, fields: { ...good, [name]: junk } }
          : { name, fields: { ...good, [route.body]: { ...inner, [name]: junk } } };
      }
    }
  }
}

/** The top-level fields of a request, and those of the field that is the body. */
function namesOf({ rpc }: Route, body: string): string[] {
  return rpc.input.fields.flatMap((field) =>
    field.name === body ? (field.message?.fields ?? []).map(({ jsonName }) => jsonName) : [field.jsonName],
  );
}

const isDestructive = (name: string) => /\.(delete|erase|remove|revoke|discard|end|archive|disable)/.test(name);
const cases = routes
  .map((route) => [nameOf(route), route] as const)
  .filter(([name]) => !name.startsWith('SessionService.'))
  .toSorted(([a], [b]) => Number(isDestructive(a)) - Number(isDestructive(b)));

describe('the message of a 400 over REST names the field as it was sent', () => {
  test.each(cases)('%s', async (_name, route) => {
    const token = route.path.startsWith('/admin/clients') ? service.serviceToken : tokenFor(service, route.path);
    const wrapper = route.body === '*' || route.body === '' ? undefined : route.body;
    const misnamed: string[] = [];
    for (const { name, fields } of faultsOf(route)) {
      const refusal = await overRest(service, { route, fields, token });
      if (refusal === undefined || !/BAD_REQUEST|INTERNAL_SERVER_ERROR/.test(refusal.reason)) continue;
      const { message } = refusal;
      // A value before it was none, and the accounts are one by now.
      if (message.endsWith('name one account: there is nothing to merge.')) continue;
      const isNamed = message.includes(name);
      const isInternal = /\b[a-z]+_[a-z]/.test(message) || (wrapper !== undefined && message.includes(`${wrapper}.`));
      if (!isNamed || isInternal) misnamed.push(`${name}: ${message}`);
    }
    expect([...new Set(misnamed)]).toEqual([]);
  });
});

describe('also where no single value is at fault', () => {
  const cases: Array<[method: string, path: () => string, body: unknown, message: RegExp]> = [
    ['POST', () => '/gamification/triggers', undefined, /^programmaticCode must .*accountId must /],
    ['PUT', () => '/webhooks/rewards', undefined, /^endpoint /],
    [
      'PATCH',
      () => `/accounts/${world.account}?updateMask=createdAt`,
      {},
      /^updateMask names 'createdAt'.*: externalId, email, name, timeZone, attributes\.$/,
    ],
    [
      'PATCH',
      () => `/admin/publications/${world.publication}?updateMask=productId`,
      {},
      /^updateMask names 'productId'.*pointsCost/,
    ],
    ['GET', () => '/accounts/paginated', undefined, /^page is required; limit is required/],
    ['GET', () => '/accounts/paginated?page=1&limit=0', undefined, /^limit /],
    ['GET', () => '/accounts/paginated?page=1&limit=1&idType=X', undefined, /"idType"/],
    ['GET', () => '/accounts/ada', undefined, /^id 'ada' is not a UUID/],
    ['GET', () => '/v1/feed/account/ada', undefined, /^accountId 'ada' is not a UUID/],
    [
      'POST',
      () => '/admin/users',
      { email: 'a@example.com', role: 'INTEGRATOR' },
      /^role must be one of CLIENT_ADMIN, SERVICE_ADMIN/,
    ],
  ];
  test.each(cases)('%s %s', async (method, path, body, message) => {
    const answer = await service.rest(method, path(), body);
    expect(answer.body).toMatchObject({ statusCode: 400, message: expect.stringMatching(message) });
  });
});

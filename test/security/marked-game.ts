import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { newToken } from '../../src/clients/credentials/token.ts';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import type { Rest, RestAnswer, Tenant } from '../support/service.ts';

/** A value that occurs nowhere else in the world, and its kind. */
export type Mark = { readonly what: string; readonly value: string };

/** The played game, and the secrets that passed through the service. */
export type MarkedGame = {
  /** Tokens, passwords and webhook secrets: never in the log, and never in plain text in the database. */
  readonly credentials: readonly Mark[];
  /** Codes of products: they are worth money, so never in the log. */
  readonly codes: readonly Mark[];
  /** E-mails, names, metadata of events: private data of the client, so never in the log. */
  readonly personal: readonly Mark[];
  readonly close: () => Promise<void>;
};

/**
 * Plays a game with every kind of secret: keys, sessions, webhooks that authenticate and sign, codes that are earned, bought and redeemed.
 * Then sends the requests of careless and hostile callers, with the same secrets.
 */
export async function playMarkedGame(rest: Rest, tenant: Tenant): Promise<MarkedGame> {
  const receiver = await startReceiver((request, response) =>
    response.writeHead(500).end(JSON.stringify(request.headers)),
  );
  const marks = newMarks();
  const credentials: Mark[] = [
    { what: 'API key', value: tenant.apiKey },
    { what: 'access token', value: tenant.adminToken },
    ...Object.entries(marks.credentials).map(([what, value]) => ({ what, value })),
  ];
  const calls = { rest, marks, receiver };
  credentials.push(...(await configureWebhooks(calls)));
  credentials.push(await makeKey(rest));
  credentials.push(...(await signIn(calls)));
  await play(calls);
  credentials.push(...(await sendWrongly(calls, tenant)));
  return {
    credentials,
    codes: marks.codes.map((value) => ({ what: 'product code', value })),
    personal: Object.entries(marks.personal).map(([what, value]) => ({ what, value })),
    close: () => receiver.close(),
  };
}

type Calls = { readonly rest: Rest; readonly marks: ReturnType<typeof newMarks>; readonly receiver: Receiver };

function newMarks() {
  const mark = (prefix: string) => `${prefix}${randomBytes(9).toString('hex')}`;
  return {
    credentials: {
      'authenticationValue of a header': mark('whk-'),
      'authenticationValue of a query': mark('whq-'),
      'secret in the path of an endpoint': mark('path-'),
    },
    codes: Array.from({ length: 6 }, () => mark('CODE-')),
    personal: {
      'e-mail': `${mark('mail')}@example.com`,
      'name of a person': mark('Name '),
      'external id': mark('person-'),
      'operation id': mark('op-'),
      'metadata of an event that is refused': mark('meta-'),
      'e-mail of a console user': `${mark('console')}@example.com`,
    },
  };
}

/** Both webhooks and an endpoint, with a secret in each possible place. */
async function configureWebhooks({ rest, marks, receiver }: Calls): Promise<Mark[]> {
  const secrets = marks.credentials;
  const endpoint = `${receiver.url}/${secrets['secret in the path of an endpoint']}`;
  const byHeader = await done(rest, 'PUT', '/webhooks/rewards', {
    endpoint,
    signed: true,
    authenticationMethodType: 'HEADER',
    authenticationMethodKey: 'X-Api-Key',
    authenticationValue: secrets['authenticationValue of a header'],
  });
  const byQuery = await done(rest, 'PUT', '/webhooks/publication-status', {
    endpoint,
    signed: true,
    authenticationMethodType: 'QUERY_PARAM',
    authenticationMethodKey: 'key',
    authenticationValue: secrets['authenticationValue of a query'],
  });
  await done(rest, 'POST', '/webhooks/rewards/test');
  await done(rest, 'POST', '/webhooks/publication-status/test');
  const draft = { name: 'All', url: endpoint, types: ['REWARDS_DELIVERED', 'MISSION_COMPLETED'] };
  const created = await done(rest, 'POST', '/webhooks/endpoints', { endpoint: draft });
  await done(rest, 'POST', `/webhooks/endpoints/${created.id}/test`, {});
  const rotation = { version: 1, endpoint: draft, rotateSigningSecret: true };
  const rotated = await done(rest, 'PUT', `/webhooks/endpoints/${created.id}`, rotation);
  const signed = [byHeader, byQuery, created, rotated];
  return signed.map(({ signingSecret }) => ({ what: 'signing secret', value: signingSecret }));
}

async function makeKey(rest: Rest): Promise<Mark> {
  const { secret } = await done(rest, 'POST', '/admin/credentials', { kind: 'API_KEY', name: 'Shop' });
  await rest('GET', '/gamification/programmatic-codes', undefined, secret);
  return { what: 'created API key', value: secret };
}

/** A person signs in, once with a wrong password. */
async function signIn({ rest, marks }: Calls): Promise<Mark[]> {
  const email = marks.personal['e-mail of a console user'];
  const wrong = `wrong-${randomBytes(9).toString('hex')}`;
  const { password } = await done(rest, 'POST', '/admin/users', { email, name: 'Operator' });
  await rest('POST', '/admin/session/sign-in', { email, password: wrong });
  const answer = await rest('POST', '/admin/session/sign-in', { email, password });
  expect(answer).toMatchObject({ status: 200, body: { accessToken: expect.stringMatching(/^lrl_ses_/) } });
  await rest('GET', '/admin/session', undefined, answer.body.accessToken);
  const cookie = /laurel_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '';
  const device = /laurel_device=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '';
  expect([cookie, device]).not.toContain('');
  return [
    { what: 'password', value: password },
    { what: 'wrong password', value: wrong },
    { what: 'session token', value: answer.body.accessToken },
    { what: 'session cookie', value: cookie },
    { what: 'cookie of a known browser', value: device },
  ];
}

/** An account earns a code, buys one in the marketplace, redeems one for points. */
async function play({ rest, marks, receiver }: Calls): Promise<void> {
  const { personal, codes } = marks;
  await done(rest, 'POST', '/admin/event-definitions', { programmaticCode: 'MARKED', type: 'SINGLE' });
  const product = await done(rest, 'POST', '/admin/products', { name: 'Coupon', stockMode: 'CODES', pointsCost: 1 });
  await done(rest, 'POST', `/admin/products/${product.id}/codes`, { codes });
  const coupon = { name: 'Coupon', type: 'PRODUCTS', amount: 1, productId: product.id };
  const rewards = [
    await done(rest, 'POST', '/admin/rewards', coupon),
    await done(rest, 'POST', '/admin/rewards', { name: 'Points', type: 'POINTS', amount: 50 }),
  ];
  const audience = await done(rest, 'POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' });
  const campaign = await done(rest, 'POST', '/admin/campaigns', {
    name: 'Marked',
    audienceIds: [audience.id],
    rewardIds: rewards.map(({ id }) => id),
    missions: [{ type: 'MISSION', name: 'Once', programmaticCode: 'MARKED', target: 1 }],
  });
  await done(rest, 'POST', `/admin/campaigns/${campaign.id}/activate`);
  const accountId = personal['external id'];
  const person = { externalId: accountId, email: personal['e-mail'], name: personal['name of a person'] };
  const { id: account } = await done(rest, 'POST', '/accounts', person);
  const event = { programmaticCode: 'MARKED', accountId, idType: 'EXTERNAL', operationId: personal['operation id'] };
  const earned = await done(rest, 'POST', '/gamification/triggers', event);
  expect(JSON.stringify(earned.rewards)).toContain('CODE-');
  const metadata = { note: personal['metadata of an event that is refused'] };
  await rest('POST', '/gamification/triggers', { ...event, metadata, operationId: 'another' });
  await done(rest, 'POST', '/gamification/triggers/async', { ...event, operationId: 'a third' });
  await done(rest, 'POST', `/loyalty/products/${product.id}/redeem`, { accountId: account });
  const sale = { productId: product.id, name: 'Sale', stock: 3 };
  const publication = await done(rest, 'POST', '/admin/publications', sale);
  await done(rest, 'POST', `/marketplace/publications/${publication.id}/publish`);
  await done(rest, 'POST', '/marketplace/publications/freeze', { publicationId: publication.id, accountId: account });
  await done(rest, 'POST', `/marketplace/publications/redeem/${publication.id}`, { accountId: account });
  // Both test calls, the earned reward and the publication.
  await receiver.got(4);
}

/** Failing requests, because messages of refusals and their log entries are where secrets leak. */
async function sendWrongly({ rest, marks }: Calls, tenant: Tenant): Promise<Mark[]> {
  const never = newToken('API_KEY', tenant.clientId);
  const mistyped = `${never.slice(0, -1)}!`;
  const email = encodeURIComponent(JSON.stringify({ filters: [{ field: 'email', value: marks.personal['e-mail'] }] }));
  await rest('GET', `/accounts/paginated?page=1&limit=10&filters=${email}`);
  await rest('GET', `/accounts/paginated?token=${tenant.apiKey}&page=x`);
  await rest('GET', `/${tenant.adminToken}/nothing?secret=${tenant.apiKey}`);
  await rest('GET', '/accounts/paginated?page=1&limit=10', undefined, never);
  await rest('GET', '/accounts/paginated?page=1&limit=10', undefined, mistyped);
  await rest('GET', '/accounts/paginated?page=1&limit=10', undefined, `${tenant.apiKey} ${tenant.apiKey}`);
  await rest('POST', '/webhooks/rewards/test', `{"broken": "${tenant.apiKey}`);
  for (const authenticationValue of [
    `${Object.values(marks.credentials)[0]}\n`,
    `${Object.values(marks.credentials)[0]}é`,
  ]) {
    const settings = {
      endpoint: 'https://example.com/',
      authenticationMethodType: 'HEADER',
      authenticationMethodKey: 'Host',
    };
    await rest('PUT', '/webhooks/rewards', { ...settings, authenticationValue });
  }
  await rest('POST', '/accounts', { externalId: marks.personal['external id'], email: marks.personal['e-mail'] });
  await rest('POST', `/admin/products/${marks.codes[0]}/codes`, { codes: marks.codes, unknown: marks.codes[1] });
  return [
    { what: 'key that was never issued', value: never },
    { what: 'mistyped key', value: mistyped },
  ];
}

async function done(rest: Rest, method: string, path: string, body?: unknown): Promise<RestAnswer['body']> {
  const answer = await rest(method, path, body);
  expect(answer, `${method} ${path} ${JSON.stringify(answer.body)}`).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 300),
  });
  return answer.body;
}

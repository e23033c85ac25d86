// Events that come as CloudEvents 1.0, in the modes of their HTTP binding: binary, structured and batched.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { untilApplied } from './inbox-fixture.ts';
import { code, mission, send, service, shopper, useShopScene } from './shop-scene.ts';

useShopScene();

type Fields = Readonly<Record<string, unknown>>;

/** One CloudEvent of the shopper, with the example attributes of the specification. */
const cloudEvent = (fields: Fields = {}): Fields => ({
  specversion: '1.0',
  type: code,
  source: '/mycontext/subcontext',
  id: `${code}-1234-1234`,
  subject: shopper,
  time: new Date().toISOString(),
  datacontenttype: 'application/json; charset=utf-8',
  data: { amount: 5 },
  ...fields,
});

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>>) {
  const response = await fetch(`${service.baseUrl}/gamification/triggers${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

const STRUCTURED = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
const BATCHED = { 'content-type': 'application/cloudevents-batch+json' };
const structured = (fields?: Fields, path = '') => post(path, cloudEvent(fields), STRUCTURED);

/** Sends a CloudEvent by headers; the percent-encoding is the one that the HTTP binding asks for. */
function binary(fields?: Fields, path = '', contentType = 'application/json; charset=utf-8') {
  const { data, datacontenttype: _, ...attributes } = cloudEvent(fields);
  const sent = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const headers = sent.map(([name, value]) => {
    return [`ce-${name}`, String(value).replaceAll(/[^\x21-\x7e]|[%"]/gu, encodeURIComponent)] as const;
  });
  return post(path, data === undefined ? '' : data, { ...Object.fromEntries(headers), 'content-type': contentType });
}

describe.each([
  ['structured', structured],
  ['binary', binary],
])('a CloudEvent, %s', (_mode, emit) => {
  test('is the event of its type, subject, time and data, once for its source and id', async () => {
    const { id } = await mission({ target: 100 });
    const first = await emit();
    expect(first).toMatchObject({ status: 200, body: { progressedMissions: [{ missionId: id, progress: 5 }] } });
    const again = await emit();
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const source = { source: '/another/context' };
    expect((await emit(source)).body).toMatchObject({ progressedMissions: [{ progress: 10 }] });
    const operationId = createHash('sha256')
      .update(JSON.stringify(['/mycontext/subcontext', `${code}-1234-1234`]))
      .digest('hex');
    const { body } = await service.rest('GET', `/admin/journal?operationId=${operationId}`);
    expect(body.rows).toMatchObject([{ programmaticCode: code, amount: 5 }]);
  });

  test('comes asynchronously too', async () => {
    await mission({ target: 100 });
    expect((await emit({}, '/async')).status).toBe(200);
    await untilApplied(service);
    expect((await send('plain', 1)).body).toMatchObject({ progressedMissions: [{ progress: 6 }] });
  });

  test('may have a subject in any script, extensions, and no time', async () => {
    await mission({ target: 100 });
    const subject = `Euro € 😀 "${code}" 100%`;
    expect((await emit({ subject, time: undefined, traceparent: '00-0af7651916cd43dd8448eb211c80319c' })).status).toBe(
      200,
    );
    expect((await service.rest('POST', '/accounts/resolve', { externalId: subject })).body.externalId).toBe(subject);
    const { body } = await service.rest('GET', `/admin/journal?programmaticCode=${code}`);
    expect(body.rows).toMatchObject([{ amount: 5 }]);
  });

  test.each([
    ['specversion', '0.3', '"1.0"'],
    ['id', undefined, '`id` must be'],
    ['source', '', '`source` must be'],
    ['type', 'x'.repeat(101), 'the code of an event definition'],
    ['subject', undefined, 'your own id of the account'],
    ['time', 'yesterday', 'occurredAt'],
    ['data', [1], '`data` must be a JSON object'],
  ])('without a right %s (%s) is refused, and says what to send', async (name, value, expected) => {
    const { status, body } = await emit({ [name]: value });
    // A request without ce-specversion is no CloudEvent; here it has another version.
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
    expect(body.message).toContain(expected);
  });
});

test('a type that is no code is answered like an unknown code', async () => {
  expect(await structured({ type: 'com.example.someevent' })).toMatchObject({
    status: 404,
    body: { code: 'EVENT_DEFINITION_NOT_FOUND' },
  });
});

test('data that is no JSON is refused', async () => {
  expect(await structured({ data: undefined, data_base64: 'AAAA' })).toMatchObject({ status: 400 });
  expect(await structured({ datacontenttype: 'application/xml' })).toMatchObject({ status: 400 });
  expect(await binary({}, '', 'application/xml')).toMatchObject({ status: 415 });
});

describe('a batch of CloudEvents', () => {
  test('is answered one by one; a broken one leaves its neighbours alone', async () => {
    await mission({ target: 100 });
    const batch = [
      cloudEvent(),
      cloudEvent({ id: 'other', subject: undefined }),
      'no object',
      cloudEvent({ id: 'third', data: { amount: 7 } }),
      cloudEvent({ id: 'fourth', data: { amount: '7' } }),
      cloudEvent(),
    ];
    const { status, body } = await post('/batch', batch, BATCHED);
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      { result: { progressedMissions: [{ progress: 5 }] } },
      { error: { statusCode: 400, message: expect.stringContaining('`subject`') } },
      { error: { statusCode: 400, message: 'A CloudEvent is a JSON object.' } },
      { result: { progressedMissions: [{ progress: 12 }] } },
      { error: { statusCode: 400, message: expect.stringContaining('amount') } },
      { result: { progressedMissions: [{ progress: 5 }] } },
    ]);
  });

  test('goes to /batch only, and only there', async () => {
    expect(await post('', [cloudEvent()], BATCHED)).toMatchObject({ status: 415 });
    expect(await post('/async', [cloudEvent()], BATCHED)).toMatchObject({ status: 415 });
    expect(await structured({}, '/batch')).toMatchObject({ status: 415 });
    expect(await binary({}, '/batch')).toMatchObject({ status: 415 });
    expect(await post('/batch', cloudEvent(), BATCHED)).toMatchObject({ status: 400 });
    expect(await post('/batch', [], BATCHED)).toMatchObject({ status: 400 });
  });
});

test('text that cannot be stored is refused in every mode', async () => {
  expect(await structured({ subject: 'a\0b' })).toMatchObject({ status: 400 });
  expect(
    await post(
      '',
      { amount: 1 },
      {
        'ce-specversion': '1.0',
        'ce-type': code,
        'ce-source': '/',
        'ce-id': '1',
        'ce-subject': 'a%00b',
        'content-type': 'application/json',
      },
    ),
  ).toMatchObject({ status: 400 });
  const { body } = await post('/batch', [cloudEvent({ subject: 'a\0b' })], BATCHED);
  expect(body.results).toMatchObject([{ error: { statusCode: 400 } }]);
});

test('other operations take no CloudEvents', async () => {
  const response = await fetch(`${service.baseUrl}/accounts/resolve`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, ...STRUCTURED },
    body: JSON.stringify(cloudEvent()),
  });
  expect(response.status).toBe(415);
});

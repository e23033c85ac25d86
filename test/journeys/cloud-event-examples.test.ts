// The examples of the HTTP binding of CloudEvents 1.0.2, sections 3.1.3 to 3.3.3, at their own time. Where they leave attributes and data out,
// there are a subject and an amount.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Journey, type Stage, startJourney } from './stage.ts';

let journey: Journey;
let stage: Stage;
beforeAll(async () => {
  journey = await startJourney('2018-04-05T03:56:30Z');
});
afterAll(() => journey.service.close());

/** A new client for each example, because all of them have the same source and id. */
async function play(path: string, headers: Readonly<Record<string, string>>, body: unknown) {
  stage = await journey.stage('UTC');
  await stage.game({
    codes: { 'com.example.someevent': 'AMOUNT', 'com.example.someotherevent': 'AMOUNT' },
    missions: ['com.example.someevent', 'com.example.someotherevent'].map((programmaticCode) => ({
      programmaticCode,
      target: 100,
    })),
    campaign: { startsAt: '2018-01-01T00:00:00Z' },
  });
  const response = await fetch(`${journey.service.baseUrl}/gamification/triggers${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.apiKey}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const BINARY = {
  'ce-specversion': '1.0',
  'ce-type': 'com.example.someevent',
  'ce-time': '2018-04-05T03:56:24Z',
  'ce-id': '1234-1234-1234',
  'ce-source': '/mycontext/subcontext',
  'ce-subject': '123',
  'content-type': 'application/json; charset=utf-8',
};

const STRUCTURED = {
  specversion: '1.0',
  type: 'com.example.someevent',
  source: '/mycontext/subcontext',
  id: '1234-1234-1234',
  subject: '123',
  time: '2018-04-05T03:56:24Z',
  data: { amount: 5 },
};

const COUNTED = { progressedMissions: [{ progress: 5 }] };

test('the binary example counts, at its time', async () => {
  expect(await play('', BINARY, { amount: 5 })).toMatchObject({ status: 200, body: COUNTED });
  const { body } = await stage.rest('GET', '/admin/journal?programmaticCode=com.example.someevent');
  expect(body.rows).toMatchObject([{ occurredAt: '2018-04-05T03:56:24Z', amount: 5 }]);
});

test('the structured example counts', async () => {
  const headers = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
  expect(await play('', headers, STRUCTURED)).toMatchObject({ status: 200, body: COUNTED });
});

test('each event of the batched example counts', async () => {
  const headers = { 'content-type': 'application/cloudevents-batch+json; charset=utf-8' };
  const batch = [STRUCTURED, { ...STRUCTURED, type: 'com.example.someotherevent' }];
  const { status, body } = await play('/batch', headers, batch);
  expect({ status, results: body.results }).toMatchObject({
    status: 200,
    results: [{ result: COUNTED }, { result: COUNTED }],
  });
});

test.each([
  ['percent-encoded', 'Euro%20%E2%82%AC%20%F0%9F%98%80', 'Euro € 😀'],
  ['encoded in lower case', 'Euro%20%e2%82%ac', 'Euro €'],
  ['encoded without need', '%45uro', 'Euro'],
  ['quoted, as by earlier versions', String.raw`"Euro \"5\" \\ %E2%82%AC"`, String.raw`Euro "5" \ €`],
])('a header that is %s is the text that it stands for', async (_, sent, subject) => {
  expect(await play('', { ...BINARY, 'ce-subject': sent }, { amount: 5 })).toMatchObject({ status: 200 });
  const { body } = await stage.rest('GET', `/accounts/${encodeURIComponent(subject)}?idType=EXTERNAL`);
  expect(body).toMatchObject({ externalId: subject });
});

test('a header whose bytes are no UTF-8 is refused', async () => {
  expect(await play('', { ...BINARY, 'ce-subject': 'a%C0%A0b' }, { amount: 5 })).toMatchObject({ status: 400 });
});

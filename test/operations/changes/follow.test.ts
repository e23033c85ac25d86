import { createClient, type Client, ConnectError } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChangeService } from '../../../gen/laurel/v1/change_service_pb.ts';
import { startService, type TestService } from '../../support/service.ts';
import { addPoints, changesAfter, endOfFeed, switchOn } from './feed.ts';

let service: TestService;
let accountId = '';

beforeAll(async () => {
  service = await startService();
  await switchOn(service);
  accountId = (await service.rest('POST', '/accounts', {})).body.id;
});
afterAll(() => service.close());

const clientOf = (token: string, { baseUrl }: Pick<TestService, 'baseUrl'> = service): Client<typeof ChangeService> =>
  createClient(
    ChangeService,
    createGrpcTransport({
      baseUrl,
      interceptors: [
        (next) => (request) => {
          request.header.set('authorization', `Bearer ${token}`);
          return next(request);
        },
      ],
    }),
  );

/** Follows until `wanted` amounts of points have come. */
async function followed(after: string, wanted: number, client = clientOf(service.apiKey)) {
  const gone = new AbortController();
  const amounts: (number | undefined)[] = [];
  let nextAfter = after;
  let messages = 0;
  try {
    for await (const message of client.followChanges({ after }, { signal: gone.signal })) {
      messages += 1;
      for (const { data } of message.rows)
        amounts.push(data.case === 'pointsChanged' ? data.value.entry?.amount : undefined);
      nextAfter = message.nextAfter;
      if (amounts.length >= wanted) gone.abort();
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
  return { amounts, nextAfter, messages };
}

test('a follower gets what is there, then every change as it comes, and resumes behind its last message', async () => {
  const end = await endOfFeed(service);
  await addPoints(service, accountId, 1);
  const first = followed(end, 4);
  for (const amount of [2, 3, 4]) await addPoints(service, accountId, amount);
  const { amounts, nextAfter } = await first;
  expect(amounts).toEqual([1, 2, 3, 4]);
  for (const amount of [5, 6]) await addPoints(service, accountId, amount);
  expect((await followed(nextAfter, 2)).amounts).toEqual([5, 6]);
});

test('a change reaches many followers, and nobody of another client', async () => {
  const stranger = await service.newTenant();
  await service.rest('PUT', '/v1/change-feed', { keepDays: 1 }, stranger.adminToken);
  const gone = new AbortController();
  const seen: number[] = [];
  const strange = (async () => {
    for await (const { rows } of clientOf(stranger.apiKey).followChanges({}, { signal: gone.signal }))
      seen.push(rows.length);
  })().catch(() => undefined);
  const end = await endOfFeed(service);
  const many = Array.from({ length: 20 }, () => followed(end, 1));
  await addPoints(service, accountId, 9);
  for (const each of await Promise.all(many)) expect(each.amounts).toEqual([9]);
  gone.abort();
  await strange;
  expect(seen.every((count) => count === 0)).toBe(true);
});

test('a follower of a cursor that is gone, or of a feed that is off, gets the error', async () => {
  const stranger = await service.newTenant();
  await expect(followed('1', 1, clientOf(stranger.apiKey))).rejects.toThrow(/keeps no changes/);
  await expect(followed('0', 1)).rejects.toThrow(/no longer kept/);
  await expect(followed('here', 1)).rejects.toThrow(ConnectError);
});

test('a follower learns at once that its process ends, and continues with another one', async () => {
  const other = await startService({ database: { db: service.db, url: service.databaseUrl, drop: async () => {} } });
  const end = await endOfFeed(service);
  const stream = followed(end, 1_000, clientOf(service.apiKey, other));
  await addPoints(service, accountId, 11);
  await changesAfter(service, end);
  const begun = performance.now();
  await other.close();
  const { nextAfter } = await stream.catch(() => ({ nextAfter: end }));
  expect(performance.now() - begun).toBeLessThan(5_000);
  await addPoints(service, accountId, 12);
  expect((await followed(nextAfter, 1)).amounts.at(-1)).toBeOneOf([11, 12]);
});

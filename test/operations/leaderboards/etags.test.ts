import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../../gen/routes.ts';
import { sharedService, type TestService } from '../../support/service.ts';

let service: TestService;
let id: string;

beforeAll(async () => {
  service = await sharedService();
  await service.rest('POST', '/admin/event-definitions', { programmaticCode: 'PLAYED', type: 'AMOUNT' });
  await service.rest('POST', '/admin/statistic-definitions', {
    statisticDefinition: { code: 'played', programmaticCode: 'PLAYED', aggregation: 'SUM', period: 'ALL_TIME' },
  });
  const leaderboard = { name: 'Players', statisticCode: 'played' };
  id = (await service.rest('POST', '/admin/leaderboards', { leaderboard })).body.id;
  await service.rest('POST', `/admin/leaderboards/${id}/activate`);
  await play('ann');
});
afterAll(() => service.close());

async function play(accountId: string): Promise<void> {
  const trigger = { programmaticCode: 'PLAYED', accountId, idType: 'EXTERNAL', metadata: { amount: 5 } };
  expect((await service.rest('POST', '/gamification/triggers', trigger)).status).toBe(200);
}

/** Reads over HTTP with a header, as an app would that keeps the last answer. */
async function read(path: string, ifNoneMatch?: string): Promise<{ status: number; etag: string; body: string }> {
  const headers: Record<string, string> = { authorization: `Bearer ${service.apiKey}` };
  if (ifNoneMatch !== undefined) headers['if-none-match'] = ifNoneMatch;
  const response = await fetch(service.baseUrl + path, { headers });
  return { status: response.status, etag: response.headers.get('etag') ?? '', body: await response.text() };
}

test('every read of leaderboards has an ETag; it answers 304 until a rank moves', async () => {
  const { run } = (await service.rest('GET', `/v1/leaderboards/${id}`)).body;
  const values: Record<string, string> = { id, run_id: run.id, account_id: 'ann' };
  const query = 'idType=EXTERNAL&page=1&limit=10';
  const paths = routes
    .filter(({ etag }) => etag)
    .map(({ path, rpc }) => {
      const sent = query
        .split('&')
        .filter((each) => rpc.input.fields.some(({ jsonName }) => each.startsWith(`${jsonName}=`)));
      return `${path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')}?${sent.join('&')}`;
    });
  expect(paths).toHaveLength(7);
  const first = await Promise.all(paths.map((path) => read(path)));
  for (const [place, path] of paths.entries()) {
    expect(first[place], path).toMatchObject({ status: 200, etag: expect.stringMatching(/^"[\w-]{22}"$/) });
    expect(await read(path, first[place]?.etag), path).toEqual({ status: 304, etag: first[place]?.etag, body: '' });
  }

  await play('bob');
  const board = paths.findIndex((path) => path.startsWith(`/v1/leaderboards/${id}?`));
  const later = await read(paths[board] ?? '', first[board]?.etag);
  expect(later.status).toBe(200);
  expect(later.body).toContain('bob');
});

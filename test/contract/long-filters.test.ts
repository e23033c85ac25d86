import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedService, type TestService } from '../support/service.ts';
import { errorBody } from './support/contract-service.ts';

let service: TestService;
let accountId: string;

beforeAll(async () => {
  service = await sharedService();
  accountId = (await service.rest('POST', '/accounts', {})).body.id;
});
afterAll(() => service.close());

/** A list of accounts, filtered by many ids of which one exists. */
const pathOf = (count: number) => {
  const value = [accountId, ...Array.from({ length: count - 1 }, () => randomUUID())];
  const filters = encodeURIComponent(JSON.stringify({ filters: [{ field: 'id', value }] }));
  return `/accounts/paginated?page=1&limit=10&filters=${filters}`;
};

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
type Answer = { readonly status: number; readonly body: any };

const overHttp1 = async (path: string): Promise<Answer> => {
  const { status, body } = await service.rest('GET', path);
  return { status, body };
};

function overHttp2(path: string): Promise<Answer> {
  const session = connectHttp2(service.baseUrl, { maxSendHeaderBlockLength: 1_000_000 });
  const stream = session.request({ ':path': path, authorization: `Bearer ${service.apiKey}` });
  return new Promise<Answer>((resolve, reject) => {
    stream.on('error', reject);
    session.on('error', reject);
    stream.once('response', (headers: IncomingHttpHeaders) => {
      text(stream).then(
        (body) => resolve({ status: Number(headers[':status']), body: body && JSON.parse(body) }),
        reject,
      );
    });
  }).finally(() => session.destroy());
}

describe.each([
  ['HTTP/1.1', overHttp1],
  ['HTTP/2', overHttp2],
])('over %s', (_version, send) => {
  test('a filter of 1,000 ids, an address of 45 KB, is answered', async () => {
    const path = pathOf(1_000);
    expect(path.length).toBeGreaterThan(44_000);
    expect(await send(path)).toMatchObject({ status: 200, body: { totalRows: 1, rows: [{ id: accountId }] } });
  });

  test('1,001 ids are refused in words', async () => {
    expect(await send(pathOf(1_001))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('1000') },
    });
  });

  test('beyond 64 KiB a request is refused in words', async () => {
    const answer = await send(pathOf(2_000));
    expect(answer).toMatchObject({ status: 431, body: errorBody(431, 'HEADERS_TOO_LARGE', /64 KiB/) });
    expect(await send('/accounts/paginated?page=1&limit=1')).toMatchObject({ status: 200 });
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { errorBody, startContractService } from './support/contract-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startContractService();
});
afterAll(() => service.close());

describe('the error body', () => {
  test('is {statusCode, message, code, traceId}, whatever went wrong', async () => {
    const cases = [
      ['POST', '/accounts/resolve', '{', 400, 'BAD_REQUEST'],
      ['POST', '/accounts/resolve', {}, 400, 'BAD_REQUEST'],
      ['GET', '/accounts/nobody', undefined, 400, 'BAD_REQUEST'],
      ['GET', '/accounts/nobody?idType=EXTERNAL', undefined, 404, 'ACCOUNT_NOT_FOUND'],
      ['GET', '/no/such/path', undefined, 404, 'NOT_FOUND'],
      ['PUT', '/accounts', {}, 405, 'METHOD_NOT_ALLOWED'],
      ['POST', '/accounts/resolve', { externalId: 'x'.repeat(2 ** 21) }, 413, 'PAYLOAD_TOO_LARGE'],
    ] as const;
    for (const [method, path, body, status, code] of cases) {
      const answer = await service.rest(method, path, body);
      expect(answer, `${method} ${path}`).toMatchObject({ status, body: errorBody(status, code) });
      const { details: _, ...rest } = answer.body;
      expect(Object.keys(rest).toSorted()).toEqual(['code', 'message', 'statusCode', 'traceId']);
    }
  });

  test('has the faults one by one where rules of fields are broken, ten at most, and nowhere else', async () => {
    const detailsOf = async (method: string, path: string, body?: unknown, token?: string) =>
      (await service.rest(method, path, body, token)).body.details;
    expect(await detailsOf('POST', '/gamification/triggers', { programmaticCode: '' })).toEqual([
      { field: 'programmaticCode', rule: 'string.min_len', message: expect.any(String) },
      { field: 'accountId', rule: expect.any(String), message: expect.any(String) },
    ]);
    const { message, details } = (await service.rest('GET', '/accounts/paginated?page=0&limit=5000')).body;
    expect(details.map(({ field }: { field: string }) => field)).toEqual(['page', 'limit']);
    for (const each of details) expect(message).toContain(`${each.field} ${each.message}`);
    const rewardIds = Array.from({ length: 200 }, () => 'none');
    const mission = { type: 'MISSION', name: 'M', programmaticCode: 'LOGIN', target: 1, rewardIds };
    const many = { name: 'C', audienceIds: [], rewardIds: [], missions: [mission] };
    expect(await detailsOf('POST', '/admin/campaigns', many, service.adminToken)).toHaveLength(10);
    expect(await detailsOf('GET', '/accounts/nobody?idType=EXTERNAL')).toBeUndefined();
    expect(await detailsOf('POST', '/accounts/resolve', '{')).toBeUndefined();
  });

  test('carries the trace id of the log line, and continues the trace of the caller', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const answer = await fetch(`${service.baseUrl}/accounts/nobody`, {
      headers: { authorization: `Bearer ${service.apiKey}`, traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    });
    expect(await answer.json()).toMatchObject({ statusCode: 400, traceId: trace });
    await expect.poll(() => service.log.some((line) => line.includes(trace))).toBe(true);
  });

  test('names the field at fault and what to send instead', async () => {
    const answer = await service.rest('POST', '/gamification/triggers', { programmaticCode: 'LOGIN' });
    expect(answer.body).toMatchObject(errorBody(400, 'BAD_REQUEST', /accountId/));
  });
});

describe('a service that cannot work', () => {
  test('answers 503 and leaves nothing half done; the same operationId works afterwards', async () => {
    const own = await startService();
    try {
      await own.rest('POST', '/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
      const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL', operationId: 'op-1' };
      expect((await own.rest('POST', '/gamification/triggers', { ...event, operationId: 'warm' })).status).toBe(200);
      await own.db.close();
      const answer = await own.rest('POST', '/gamification/triggers', event);
      expect(answer).toMatchObject({ status: 503, body: { statusCode: 503, traceId: expect.any(String) } });
    } finally {
      await own.close();
    }
  });
});

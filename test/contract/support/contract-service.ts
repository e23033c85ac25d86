import { expect } from 'vitest';
import { sharedService, type TestService } from '../../support/service.ts';
import { expectDescribed } from './openapi.ts';

/** The service with a check of every REST answer against `gen/openapi.yaml`: a different answer fails the test that made the call. */
export async function startContractService(): Promise<TestService> {
  const service = await sharedService();
  return {
    ...service,
    async rest(method, path, body, token) {
      const answer = await service.rest(method, path, body, token);
      expectDescribed(method, path, body, answer);
      return answer;
    },
  };
}

/** Field and value of one condition of a filter. */
export type Condition = readonly [field: string, value: unknown];

/** The value of the query parameter `filters`, encoded. */
export function filters(...conditions: Condition[]): string {
  return encoded({ filters: conditions.map(([field, value]) => ({ field, value })) });
}

/** Any JSON as the value of a query parameter. */
export function encoded(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value));
}

/** The documented error body; its message says what the caller should send instead. */
export function errorBody(statusCode: number, code: string, message: RegExp = /.{15}/): object {
  return {
    statusCode,
    code,
    message: expect.stringMatching(message),
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  };
}

import { expect } from 'vitest';
import { routes } from '../../../gen/routes.ts';
import type { RestAnswer, Tenant, TestService } from '../../support/service.ts';
import type { Caller } from './callers.ts';
import { filters } from './contract-service.ts';
import { type Fields, nameOf, restRequest } from './requests.ts';

/** A service with a checked REST interface, and with gRPC. */
type Asked = { readonly service: TestService; readonly grpc: Caller };

/** Calls an operation, by `Service.method`, over REST and over gRPC, and expects equal answers. */
export function overBoth(asked: () => Asked) {
  /** The answers of a reading operation, REST first; to the service's own client by default. */
  async function ask(name: string, fields: Fields, tenant: Tenant = asked().service): Promise<RestAnswer[]> {
    const { service, grpc } = asked();
    const route = routes.find((each) => nameOf(each) === name)!;
    const { method, path } = restRequest(route, fields);
    return [await service.rest(method, path, undefined, tenant.apiKey), await grpc.call(route, fields, tenant.apiKey)];
  }

  async function expectEach(name: string, fields: Fields, body: object, status = 200, tenant?: Tenant): Promise<void> {
    for (const answer of await ask(name, fields, tenant)) expect(answer).toMatchObject({ status, body });
  }

  const refusal = (name: string, fields: Fields, status: number, code: string, tenant?: Tenant) =>
    expectEach(name, fields, { statusCode: status, code }, status, tenant);

  /** Creates or changes a resource over REST. */
  async function created(path: string, body?: object): Promise<{ id: string }> {
    const answer = await asked().service.rest('POST', path, body);
    expect(answer, `POST ${path}`).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
    return answer.body;
  }

  return { ask, created, expectEach, refusal };
}

/** All keys of an answer, at any depth. */
export function keysOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => [key, ...keysOf(value)]);
}

/** An unknown id. */
export const UNKNOWN = '00000000-0000-7000-8000-000000000000';

/** A page with room for all rows. */
export const page = { page: 1, limit: 100 };

/** A filter with one condition; the request encodes it. */
export const where = (field: string, value: unknown) => ({ filters: decodeURIComponent(filters([field, value])) });

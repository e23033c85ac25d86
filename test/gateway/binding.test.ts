import { describe, expect, it } from 'vitest';
import { bindingOf } from '../../src/gateway/binding.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import type { Route } from '../../src/gateway/route.ts';
import { restErrorOf } from '../../src/server/rpc/error-table.ts';
import { routeOfRpc, routesOfService } from './test-protos.ts';

describe('the options of an RPC become its routes', () => {
  it('the binding, then the additional ones', () => {
    const routes = routesOfService('LibraryService').filter(({ rpc }) => rpc.name === 'GetBook');
    expect(routes.map(({ httpMethod, path, body, responseBody }) => [httpMethod, path, body, responseBody])).toEqual([
      ['GET', '/books/{id}', '', 'book'],
      ['GET', '/v2/books/{id}', '', 'book'],
    ]);
  });

  it('status and filter code as stated, or as usual', () => {
    expect(routeOfRpc('LibraryService.AddBook')).toMatchObject({ successStatus: 201, filterErrorCode: 'BAD_REQUEST' });
    expect(routeOfRpc('LibraryService.SearchBooks')).toMatchObject({
      successStatus: 200,
      filterErrorCode: 'INTERNAL_SERVER_ERROR',
    });
  });

  it('fields that neither path nor body take are left for the query', () => {
    const query = (rpc: string) => bindingOf(routeOfRpc(rpc)).queryFields.map((field) => field.name);
    expect(query('LibraryService.AddBook')).toEqual([]);
    expect(query('LibraryService.DeleteBook')).toEqual(['force']);
    expect(query('LibraryService.UpdateBook')).toEqual(['update_mask', 'dry_run']);
    expect(query('LibraryService.ListBooks')).toEqual(['page', 'limit', 'filters']);
  });

  it('only PATCH derives an update mask', () => {
    expect(bindingOf(routeOfRpc('LibraryService.UpdateBook')).updateMask?.name).toBe('update_mask');
    expect(bindingOf({ ...routeOfRpc('LibraryService.UpdateBook'), httpMethod: 'PUT' }).updateMask).toBeUndefined();
  });
});

describe('what cannot be served is refused when code is generated, with the name of the RPC', () => {
  const bad = (rpc: string, change: Partial<Route>) => () => bindingOf({ ...routeOfRpc(rpc), ...change });
  it.each([
    [
      'a variable that is no field',
      bad('LibraryService.GetBook', { path: '/b/{isbn}' }),
      '"{isbn}" in /b/{isbn} must name a singular',
    ],
    ['a variable below a scalar', bad('LibraryService.GetBook', { path: '/b/{id.x}' }), '"{id.x}"'],
    ['a variable that is a message', bad('EchoService.InQuery', { path: '/e/{info}' }), '"{info}"'],
    ['a variable that is repeated', bad('EchoService.InQuery', { path: '/e/{info.strings}' }), '"{info.strings}"'],
    ['a variable in a repeated message', bad('EchoService.InQuery', { path: '/e/{info.infos.f_string}' }), 'infos'],
    ['a template that is none', bad('LibraryService.GetBook', { path: 'b' }), 'column 1'],
    [
      'a wildcard',
      bad('LibraryService.GetBook', { path: '/b/{id=**}' }),
      '"/b/{id=**}", column 7: a variable is any one',
    ],
    ['a custom verb', bad('LibraryService.GetBook', { path: '/b/{id}:read' }), 'column 8: a custom verb is not served'],
    [
      'a custom method',
      () => routesOfService('RefusedService'),
      'a custom method is not served. Write get, put, post, delete or patch.',
    ],
    [
      'a body that is no field',
      bad('LibraryService.AddBook', { body: 'book' }),
      'body "book" is not a field of gateway.test.v1.AddBookRequest',
    ],
    ['an answer that is no field', bad('LibraryService.AddBook', { responseBody: 'x' }), 'response_body "x"'],
    [
      'a list of messages in the query',
      bad('LibraryService.AddBook', { body: '' }),
      'the field "chapters" cannot be a query parameter',
    ],
  ])('%s', (_, bind, problem) => {
    expect(bind).toThrow(problem);
  });

  it('two routes for the same requests', () => {
    const route = routeOfRpc('LibraryService.GetBook');
    const start = () =>
      createGateway({ routes: [route, route], invoke: () => Promise.reject(new Error()), errorOf: restErrorOf });
    expect(start).toThrow('Two routes take GET /books/{}');
  });
});

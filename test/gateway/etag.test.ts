import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { createGateway } from '../../src/gateway/gateway.ts';
import type { RestResponse } from '../../src/server/http/rest-message.ts';
import { restErrorOf } from '../../src/server/rpc/error-table.ts';
import { routesOfService } from './test-protos.ts';

const routes = routesOfService('LibraryService');

/** Reads a book of this title, or another path, with the header `If-None-Match`. */
async function read(title: string, ifNoneMatch?: string, url = '/books/7'): Promise<RestResponse> {
  const gateway = createGateway<undefined>({
    routes,
    errorOf: restErrorOf,
    invoke: (method) => {
      const book = method.output.fields.find(({ name }) => name === 'book')?.message;
      const message = create(method.output, book === undefined ? {} : { book: create(book, { title }) });
      return Promise.resolve({ message });
    },
  });
  const match = gateway.match('GET', url);
  if (match.kind !== 'found') throw new Error(`No operation at ${url}.`);
  const header = (name: string) => (name === 'if-none-match' ? ifNoneMatch : undefined);
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  return gateway.handle(match, { body: undefined, contentType: undefined, header, traceId, context: undefined });
}

async function etagOf(title: string): Promise<string> {
  return String((await read(title)).headers['etag']);
}

describe('an operation with the option etag', () => {
  it('gives the same content the same ETag, and other content another', async () => {
    expect(await etagOf('Dune')).toMatch(/^"[\w-]{22}"$/);
    expect(await etagOf('Dune')).toBe(await etagOf('Dune'));
    expect(await etagOf('Dune')).not.toBe(await etagOf('Emma'));
  });

  it('answers 304 without a body to a client that has the content', async () => {
    const etag = await etagOf('Dune');
    const headers = { etag, 'cache-control': 'private, no-cache' };
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      expect(await read('Dune', sent)).toEqual({ status: 304, headers, body: undefined });
    }
  });

  it('answers in full to a client that has other content', async () => {
    const response = await read('Dune', await etagOf('Emma'));
    expect(response).toMatchObject({ status: 200, headers: { etag: await etagOf('Dune') } });
    expect(response.body).toContain('Dune');
  });

  it('has it at each of its addresses, other operations have none', async () => {
    expect((await read('Dune', undefined, '/v2/books/7')).headers).toHaveProperty('etag');
    expect((await read('Dune', undefined, '/books?shelf_id=1')).headers).not.toHaveProperty('etag');
  });
});

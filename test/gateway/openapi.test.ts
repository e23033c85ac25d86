import { describe, expect, it } from 'vitest';
import { bindingOf } from '../../src/gateway/binding.ts';
import { openApiDocument } from '../../src/gateway/codegen/openapi-document.ts';
import { restOptions, routesOfService } from './test-protos.ts';

type Json = { readonly [key: string]: Json };

/** The document of the test library; typed loosely, because each test reads other parts. */
const document = openApiDocument(routesOfService('LibraryService').map(bindingOf), restOptions) as unknown as Json;

function at(...keys: string[]): Json {
  let value = document;
  for (const key of keys) {
    const inner = value[key];
    if (inner === undefined) throw new Error(`The document has nothing at ${keys.join(' > ')}.`);
    value = inner;
  }
  return value;
}

const schema = (name: string) => at('components', 'schemas', name);
const operation = (path: string, method: string) => at('paths', path, method);
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schemaOf: unknown, ...examples: string[]) => ({
  'application/json': {
    schema: schemaOf,
    examples: Object.fromEntries(examples.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
  },
});
const exampleNamed = (name: string) => at('components', 'examples', name, 'value');

/** An answer, which may be shared with other operations. */
function answer(path: string, method: string, status: string): Json {
  const stated = at('paths', path, method, 'responses', status);
  return '$ref' in stated ? at(...(stated['$ref'] as unknown as string).slice('#/'.length).split('/')) : stated;
}

describe('every route is documented', () => {
  it('under its path, with variables spelled as in JSON', () => {
    expect(Object.keys(at('paths'))).toEqual([
      '/shelves/{shelfId}/books',
      '/books/{id}',
      '/v2/books/{id}',
      '/books/{id}/read',
      '/books',
      '/books/paginated',
      '/books/{id}/tags',
      '/files/{path}',
    ]);
    expect(Object.keys(at('paths', '/books/{id}'))).toEqual(['get', 'patch', 'delete']);
  });

  it('as the operation of its RPC, in the group of its service, in the words of its comment', () => {
    expect(operation('/shelves/{shelfId}/books', 'post')).toMatchObject({
      operationId: 'AddBook',
      tags: ['Library'],
      summary: 'Puts a book on a shelf',
      description:
        'Puts a book on a shelf. A repeat adds another copy.\n\nErrors: 400 BAD_REQUEST, 404 PRODUCT_NOT_FOUND, ' +
        '409 OUT_OF_STOCK (no room for `shelfId`), 409 PRODUCT_IN_USE, 503 DATABASE_BUSY. ' +
        'Of single items: 413 BATCH_TOO_LARGE.',
    });
    expect(document['tags']).toEqual([{ name: 'Library', description: 'Books on shelves.' }]);
  });

  it('each by its own id, also where one RPC has several routes', () => {
    expect(operation('/books/{id}', 'get')['operationId']).toBe('GetBook');
    expect(operation('/v2/books/{id}', 'get')['operationId']).toBe('GetBook2');
  });

  it('by an id that does not depend on which operation comes first; one id for two is refused', () => {
    const bindings = routesOfService('LibraryService').map(bindingOf);
    const turned = openApiDocument(bindings.toReversed(), restOptions) as unknown as Json;
    expect(turned['paths']!['/books/{id}']!['get']!['operationId']).toBe('GetBook');
    const [one, other] = bindings;
    expect(() => openApiDocument([one!, { ...other!, operationId: one!.operationId }], restOptions)).toThrow(
      `both are ${one!.operationId} in OpenAPI`,
    );
  });
});

describe('parameters', () => {
  it('of the path are required and carry the rules of their field', () => {
    expect(operation('/shelves/{shelfId}/books', 'post')['parameters']).toEqual([
      {
        name: 'shelfId',
        in: 'path',
        required: true,
        description: 'The shelf.',
        schema: { type: 'string', format: 'uuid' },
        example: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      },
    ]);
  });

  it('of the query are required where a rule says so, and a message is JSON', () => {
    expect(operation('/books/paginated', 'get')['parameters']).toEqual([
      {
        name: 'page',
        in: 'query',
        required: true,
        description: 'From 1.',
        schema: { type: 'integer', format: 'int32', minimum: 1 },
        example: 1,
      },
      expect.objectContaining({
        name: 'limit',
        required: true,
        schema: expect.objectContaining({ minimum: 1, maximum: 1000 }),
      }),
      {
        name: 'filters',
        in: 'query',
        description: 'Conditions.',
        schema: { type: 'string', contentMediaType: 'application/json', contentSchema: ref('Filter') },
      },
    ]);
  });

  it('that repeat are arrays, and an update mask is text', () => {
    expect(operation('/books', 'get')['parameters']).toContainEqual(
      expect.objectContaining({ name: 'bindings', schema: { type: 'array', items: ref('BookBinding') } }),
    );
    expect(operation('/books/{id}', 'patch')['parameters']).toMatchObject([
      { name: 'id' },
      { name: 'updateMask', schema: { type: 'string' } },
      { name: 'dryRun', schema: { type: 'boolean' } },
    ]);
  });
});

describe('bodies', () => {
  it('leave out what is in the path, and say what is required', () => {
    expect(operation('/shelves/{shelfId}/books', 'post')['requestBody']).toEqual({
      required: true,
      content: json(ref('AddBookBody'), 'AddBookBody'),
    });
    expect(exampleNamed('AddBookBody')).toMatchObject({ title: 'Title' });
    expect(exampleNamed('AddBookBody')).not.toHaveProperty('shelfId');
    const body = schema('AddBookBody');
    expect(Object.keys(body['properties'] ?? {})).not.toContain('shelfId');
    expect(body).toMatchObject({ required: ['title'], additionalProperties: false });
  });

  it('may be a bare array, or any JSON value', () => {
    const tags = { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } };
    expect(operation('/books/{id}/tags', 'put')).toMatchObject({
      requestBody: { content: tags },
      responses: { '200': { content: tags } },
    });
    const [name = ''] = Object.keys(
      at('paths', '/books/{id}/tags', 'put', 'requestBody', 'content', 'application/json', 'examples'),
    );
    expect(exampleNamed(name)).toEqual([expect.any(String)]);
    expect(operation('/files/{path}', 'put')['requestBody']).toMatchObject({
      content: { 'application/json': { schema: {} } },
    });
  });

  it('of a PATCH may hold null, which clears', () => {
    expect(schema('BookChanges')['properties']).toMatchObject({
      title: { type: ['string', 'null'] },
      lastRead: { anyOf: [ref('BookChapter'), { type: 'null' }] },
    });
  });

  it('are absent where the operation takes or answers none', () => {
    expect(operation('/books/{id}/read', 'post')).not.toHaveProperty('requestBody');
    expect(operation('/books/{id}/read', 'post')).toMatchObject({ responses: { '200': { description: 'Nothing.' } } });
    expect(at('paths', '/books/{id}/read', 'post', 'responses', '200')).not.toHaveProperty('content');
    expect(at('paths', '/books/{id}', 'delete', 'responses', '204')).not.toHaveProperty('content');
  });
});

describe('schemas say what the rules and types say', () => {
  it('of a request', () => {
    expect(schema('AddBookBody')['properties']).toMatchObject({
      title: { type: 'string', minLength: 1, maxLength: 100, description: '1-100 characters.' },
      price: { type: 'number', minimum: 0 },
      authors: { type: 'array', maxItems: 10, items: { type: 'string', minLength: 1 } },
      extra: { type: 'object', additionalProperties: true },
      publishedAt: { type: 'string', format: 'date-time' },
      labels: { type: 'object', additionalProperties: { type: 'integer', format: 'int32' } },
      cover: { type: 'string', contentEncoding: 'base64' },
      chapters: { type: 'array', items: ref('BookChapter') },
    });
  });

  it('of an answer: what is always there is required, what is nullable may be null', () => {
    const book = schema('Book');
    expect(book['required']).toEqual([
      'id',
      'shelfId',
      'title',
      'binding',
      'price',
      'sold',
      'chapters',
      'labels',
      'lastRead',
    ]);
    expect(book).not.toHaveProperty('additionalProperties');
    expect(book['properties']).toMatchObject({
      shelfId: { type: ['string', 'null'], description: 'Null when it is on no shelf; see `shelfId` of the request.' },
      sold: { type: 'string', format: 'int64' },
      lastRead: { anyOf: [ref('BookChapter'), { type: 'null' }] },
    });
  });

  it('of an enum: the names that can be sent', () => {
    expect(schema('BookBinding')).toEqual({
      type: 'string',
      enum: ['PAPERBACK', 'HARDCOVER'],
      description: 'How it is bound.',
    });
  });

  it('every reference leads somewhere, and every schema is referred to', () => {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name));
    expect(referred).toEqual(new Set(Object.keys(at('components', 'schemas'))));
  });
});

describe('answers', () => {
  it('have the status of success and those errors that the proto declares, grouped; not those of single items', () => {
    const responses = at('paths', '/shelves/{shelfId}/books', 'post', 'responses');
    expect(Object.keys(responses)).toEqual(['201', '400', '401', '404', '409', '503', 'default']);
    expect(answer('/shelves/{shelfId}/books', 'post', '409')).toEqual({
      description: expect.stringContaining('`code`: `OUT_OF_STOCK`, `PRODUCT_IN_USE`.'),
      headers: { traceparent: { $ref: '#/components/headers/traceparent' } },
      content: json(ref('LaurelError'), 'OUT_OF_STOCK', 'PRODUCT_IN_USE'),
    });
    expect(exampleNamed('OUT_OF_STOCK')).toMatchObject({ statusCode: 409, code: 'OUT_OF_STOCK' });
    expect(answer('/shelves/{shelfId}/books', 'post', '503')).toHaveProperty(['headers', 'Retry-After']);
    expect(answer('/shelves/{shelfId}/books', 'post', '401')).toHaveProperty(['headers', 'WWW-Authenticate']);
  });

  it('have what any call may be answered with where the proto declares none', () => {
    expect(Object.keys(at('paths', '/books/{id}', 'patch', 'responses'))).toEqual(['200', '401', 'default']);
  });

  it('of a filter at fault are a 400, whatever its code', () => {
    expect(answer('/books', 'get', '400')).toMatchObject({
      description: expect.stringContaining('`code`: `BAD_REQUEST`, `INTERNAL_SERVER_ERROR`.'),
    });
    expect(exampleNamed('INTERNAL_SERVER_ERROR_400')).toMatchObject({ statusCode: 400, code: 'INTERNAL_SERVER_ERROR' });
    expect(at('paths', '/books', 'get', 'responses')).not.toHaveProperty('500');
  });

  it('errors have one form, and an operation that says nothing else needs a bearer token', () => {
    expect(schema('LaurelError')).toMatchObject({ required: ['statusCode', 'message', 'code', 'traceId'] });
    expect(document['security']).toEqual([{ bearer: [] }]);
    expect(at('components', 'securitySchemes', 'bearer')).toMatchObject({ type: 'http', scheme: 'bearer' });
  });
});

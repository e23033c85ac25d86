import { isFieldSet, type Message } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { FieldMask } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { requestsOf } from './read-request.ts';
import { routeOfRpc, routesOfService } from './test-protos.ts';

const request = requestsOf([...routesOfService('EchoService'), ...routesOfService('LibraryService')]);

const shelf = 'POST /shelves/0197c3a8-0000-7000-8000-000000000001/books';
const shelfId = '0197c3a8-0000-7000-8000-000000000001';

/** A text inside a message, as an expression; an expression unchanged. */
const matching = (problem: string | RegExp): RegExp =>
  problem instanceof RegExp ? problem : new RegExp(RegExp.escape(problem));

describe('the body becomes the message', () => {
  it('`*`: all fields but those in the path', () => {
    const body = {
      title: 'Momo',
      binding: 'HARDCOVER',
      price: 9.5,
      authors: ['Ende'],
      labels: { a: 1 },
      extra: { x: [null] },
    };
    expect(request({ line: shelf, body }).json).toEqual({ shelfId, ...body });
  });

  it('a field: that field, and the others come from path and query', () => {
    const { json } = request({
      line: 'POST /echo/field?name=n&fInt32=7',
      body: { fString: 'a', child: { fBool: true } },
    });
    expect(json).toEqual({ name: 'n', fInt32: 7, info: { fString: 'a', child: { fBool: true } } });
  });

  it('a repeated field: a bare array', () => {
    expect(request({ line: 'PUT /books/7/tags', body: ['a', 'b'] }).json).toEqual({ id: '7', tags: ['a', 'b'] });
    expect(request({ line: 'PUT /books/7/tags', body: [] }).json).toEqual({ id: '7' });
  });

  it.each([[null], [7], ['text'], [[1, 'a']], [{ a: { b: null } }]])('a field of any JSON value: %j', (content) => {
    const body = JSON.stringify(content);
    expect(request({ line: 'PUT /files/a%2Fb', body }).json).toEqual({ path: 'a/b', content });
  });

  it('a field in the path joins its message in the body', () => {
    expect(request({ line: 'PUT /echo/x%20y', body: { name: 'n', info: { fInt32: 1 } } }).json).toEqual({
      name: 'n',
      info: { fString: 'x y', fInt32: 1 },
    });
    expect(request({ line: 'PUT /echo/x', body: { info: null } }).json).toEqual({ info: { fString: 'x' } });
  });

  it('no body is an empty one', () => {
    expect(request({ line: 'POST /echo/body' }).json).toEqual({});
    expect(request({ line: 'POST /echo/body', body: '' }).json).toEqual({});
    expect(request({ line: 'POST /echo/field' }).json).toEqual({ info: {} });
    expect(request({ line: 'PUT /books/7/tags' }).json).toEqual({ id: '7' });
  });

  it('proto names are understood as well as JSON names, and null leaves a field unset', () => {
    expect(request({ line: 'POST /echo/body', body: { f_int32: 1, pInt64: null, info: null } }).json).toEqual({
      fInt32: 1,
    });
  });

  it('a key of JavaScript is a key like any other', () => {
    const body = '{"title":"t","extra":{"__proto__":{"a":1},"constructor":2},"labels":{"__proto__":3}}';
    expect(JSON.stringify(request({ line: shelf, body }).json)).toContain('"__proto__":{"a":1},"constructor":2');
    expect(() => request({ line: shelf, body: '{"__proto__":{"title":"t"}}' })).toThrow('"__proto__" is not a field');
  });

  it.each([
    [undefined],
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['Application/JSON;charset="UTF-8"'],
    ['application/json; profile=x'],
  ])('of the type %j', (contentType) => {
    expect(request({ line: 'POST /echo/body', body: { name: 'a' }, contentType }).json).toEqual({ name: 'a' });
  });
});

describe('a body that is not what the operation takes is refused, and the message names the field', () => {
  it.each([
    [shelf, '{', 'The body is not valid JSON'],
    [shelf, '{"title":"a",}', 'The body is not valid JSON'],
    [shelf, '{"title":"a"} x', 'The body is not valid JSON'],
    [shelf, ' ', 'The body is not valid JSON'],
    [shelf, '[]', 'The body must be a JSON object'],
    [shelf, 'null', 'The body must be a JSON object'],
    [shelf, '"text"', 'The body must be a JSON object'],
    ['POST /echo/field', '[]', 'The body must be a JSON object'],
    ['POST /echo/field', 'null', 'The body must be a JSON object'],
    ['PUT /books/7/tags', '{}', 'tags must be an array, not an object'],
    ['PUT /books/7/tags', '["a",1]', 'tags[1] must be a string, not 1'],
    [shelf, '{"shelfId":"x","title":"a"}', '"shelfId" is given in the path. Leave it out of the body.'],
    [shelf, '{"shelf_id":"x","title":"a"}', '"shelfId" is given in the path'],
    [shelf, '{"shelfId":null,"title":"a"}', '"shelfId" is given in the path'],
    ['PUT /echo/x', '{"info":{"fString":"y"}}', '"info.fString" is given in the path'],
    ['PUT /echo/x', '{"info":{"f_string":"x"}}', '"info.fString" is given in the path'],
    ['PUT /echo/x', '{"info":"y"}', 'info must be a JSON object, not "y"'],
    ['PUT /echo/x', '{"info":[]}', 'info must be a JSON object, not an array'],
    [shelf, '{"titel":"a"}', '"titel" is not a field here. Send only title, binding, price'],
    ['POST /echo/field', '{"info":{}}', '"info" is not a field here. Send only fString'],
    ['POST /echo/field', '{"child":{"child":{"no":1}}}', '"child.child.no" is not a field here'],
    [shelf, '{"title":7}', 'title must be a string, not 7'],
    [shelf, '{"title":["a"]}', 'title must be a string, not an array'],
    [shelf, '{"binding":"SPIRAL"}', 'binding must be one of PAPERBACK, HARDCOVER, not "SPIRAL"'],
    [shelf, '{"binding":true}', 'binding must be one of PAPERBACK, HARDCOVER, not true'],
    [shelf, '{"binding":1}', 'binding must be one of PAPERBACK, HARDCOVER, not 1'],
    [
      shelf,
      '{"binding":"BINDING_UNSPECIFIED"}',
      'binding must be one of PAPERBACK, HARDCOVER, not "BINDING_UNSPECIFIED"',
    ],
    ['POST /echo/field', '{"child":{"fKingdom":1}}', /^child\.fKingdom must be one of .*, not 1\.$/],
    ['POST /echo/body', '{"info":{"child":{"f_kingdom":1}}}', /^info\.child\.f_kingdom must be one of .*, not 1\.$/],
    [shelf, '{"publishedAt":"2026-02-30T00:00:00Z"}', 'publishedAt must be a date-time such as'],
    [shelf, '{"publishedAt":"2027-02-29T12:00:00+02:00"}', 'publishedAt must be a date-time such as'],
    [shelf, '{"published_at":"2026-04-31T00:00:00.5Z"}', 'published_at must be a date-time such as'],
    [shelf, '{"publishedAt":"2026-01-31T24:00:00Z"}', 'publishedAt must be a date-time such as'],
    [shelf, '{"price":"cheap"}', 'price must be a number from 0, not "cheap"'],
    [shelf, '{"price":{"amount":1}}', 'price must be a number from 0, not an object'],
    [shelf, '{"pages":1.5}', 'pages must be an integer from -2147483648 to 2147483647, not 1.5'],
    [shelf, '{"pages":1,"words":2}', 'pages and words cannot both be sent'],
    [shelf, '{"publishedAt":1,"published_at":2}', 'publishedAt must be a date-time'],
    [shelf, '{"publishedAt":null,"published_at":null}', 'publishedAt and published_at cannot both be sent'],
    [shelf, '{"publishedAt":"today"}', 'publishedAt must be a date-time such as "2026-01-31T12:00:00Z", not "today"'],
    [shelf, '{"authors":"Ende"}', 'authors must be an array, not "Ende"'],
    [shelf, '{"authors":["a",null]}', 'authors[1] must be a string, not null'],
    [shelf, '{"chapters":[{},{"title":1}]}', 'chapters[1].title must be a string, not 1'],
    [
      shelf,
      '{"chapters":[{"chapters":[{"no":1}]}]}',
      '"chapters[0].chapters[0].no" is not a field here. Send only title, page',
    ],
    [shelf, '{"chapters":[7]}', 'chapters[0] must be a JSON object, not 7'],
    [shelf, '{"labels":[]}', 'labels must be a JSON object, not an array'],
    [shelf, '{"labels":{"a":"x"}}', 'labels.a must be an integer'],
    [shelf, '{"extra":[]}', 'extra must be a JSON object, not an array'],
    [shelf, '{"cover":"??"}', 'cover must be text in base64, not "??"'],
    [shelf, '{"title":"a\\u0000b"}', 'title holds a NUL character'],
    [shelf, '{"extra":{"a":["b","\\u0000"]}}', 'extra.a[1] holds a NUL character'],
    [shelf, '{"extra":{"\\u0000":1}}', 'extra holds a NUL character'],
    [shelf, '{"labels":{"\\u0000":1}}', 'labels holds a NUL character'],
    [shelf, '{"title":"\\ud800"}', 'title holds half of a surrogate pair'],
    [shelf, '{"extra":{"a":"\\udc00"}}', 'extra'],
    ['POST /echo/body', '{"info":'.repeat(3000) + '{}' + '}'.repeat(3000), 'is not a field here'],
    ['POST /echo/field', '{"child":'.repeat(3000) + '{}' + '}'.repeat(3000), 'nested too deeply'],
    [shelf, `{"extra":${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}}`, 'extra'],
    ['POST /books/7/read', '{"id":"8"}', 'takes no body'],
    ['DELETE /books/7', '{"force":true}', 'takes no body'],
    ['GET /books/7', '[]', 'takes no body'],
  ])('%s %.60s', (line, body, problem) => {
    expect(() => request({ line, body })).toThrow(
      expect.objectContaining({
        kind: 'INVALID',
        code: 'BAD_REQUEST',
        message: expect.stringMatching(matching(problem)),
      }),
    );
  });

  it('days that only some years or months have are read', () => {
    for (const publishedAt of ['2024-02-29T00:00:00Z', '2000-02-29T23:59:59Z', '2026-12-31T23:59:59Z'])
      expect(request({ line: shelf, body: { publishedAt } }).json['publishedAt']).toBe(publishedAt);
  });

  it('an empty object is no body', () => {
    expect(request({ line: 'POST /books/7/read', body: {} }).json).toEqual({ id: '7' });
  });

  it('text that merely looks like an escape is kept', () => {
    expect(request({ line: shelf, body: '{"title":"\\\\u0000 \\ud83d\\ude00"}' }).json['title']).toBe(
      '\\u0000 \u{1f600}',
    );
  });

  it('bytes that are not UTF-8 are refused', () => {
    expect(() => request({ line: 'POST /echo/body', bytes: Buffer.from([0x22, 0xff, 0x22]) })).toThrow(
      'not valid UTF-8',
    );
  });

  it.each([
    ['application/x-www-form-urlencoded'],
    ['text/plain'],
    ['text/json'],
    ['application/jsonp'],
    ['application/json; charset=iso-8859-1'],
    ['multipart/form-data; boundary=x'],
    [''],
  ])('of the type %j is refused with 415', (contentType) => {
    expect(() => request({ line: 'POST /echo/body', body: { name: 'a' }, contentType })).toThrow(
      expect.objectContaining({ statusCode: 415, code: 'UNSUPPORTED_MEDIA_TYPE' }),
    );
  });
});

describe('values in the path', () => {
  it('are of the type of their field', () => {
    expect(request({ line: 'GET /echo/a%2Fb/-1/1.5/true/ANIMALIA/path?name=n' }).json).toEqual({
      name: 'n',
      info: { fString: 'a/b', fInt32: -1, fDouble: 1.5, fBool: true, fKingdom: 'ANIMALIA' },
    });
  });

  it.each([
    ['GET /echo/a/1e3/1/true/FUNGI/path', 'In the path, "info.fInt32" must be an integer'],
    ['GET /echo/a/1/x/true/FUNGI/path', 'In the path, "info.fDouble" must be a number'],
    ['GET /echo/a/1/1/yes/FUNGI/path', 'In the path, "info.fBool" must be true or false'],
    [
      'GET /echo/a/1/1/true/STONE/path',
      'In the path, "info.fKingdom" must be one of FUNGI, PLANTAE, ANIMALIA, not "STONE"',
    ],
    ['GET /books/a%00b', 'id holds a NUL character'],
  ])('%s is refused', (line, problem) => {
    expect(() => request({ line })).toThrow(
      expect.objectContaining({ kind: 'INVALID', code: 'BAD_REQUEST', message: expect.stringContaining(problem) }),
    );
  });

  it('choose between the routes of one operation', () => {
    expect(request({ line: 'GET /echo/first/a/second/b%2Fc/resource' }).json).toEqual({
      info: { fString: 'a', child: { fString: 'b/c' } },
    });
    expect(request({ line: 'GET /echo/first/a/second/b%2Fc/child' }).json).toEqual({
      info: { fString: 'b/c', child: { fString: 'a' } },
    });
    expect(request({ line: 'GET /v2/books/2' }).json).toEqual({ id: '2' });
  });
});

describe('PATCH writes the keys that were sent', () => {
  const route = routeOfRpc('LibraryService.UpdateBook');
  const mask = (line: string, body?: unknown): readonly string[] | undefined => {
    const { message } = request({ line, body });
    return maskOf(message);
  };

  function maskOf(message: Message): readonly string[] | undefined {
    const field = route.rpc.input.fields.find(({ name }) => name === 'update_mask');
    if (field === undefined || !isFieldSet(message, field)) return undefined;
    const mask = reflect(route.rpc.input, message).get(field) as ReflectMessage;
    return (mask.message as FieldMask).paths;
  }

  it('by their proto names, however they were spelled', () => {
    expect(mask('PATCH /books/7', { title: 'a', subtitle: 'b' })).toEqual(['title', 'subtitle']);
    expect(mask('PATCH /books/7', { lastRead: {} })).toEqual(['last_read']);
    expect(mask('PATCH /books/7', { last_read: {} })).toEqual(['last_read']);
  });

  it('null clears: in the mask, without a value', () => {
    const { message, json } = request({ line: 'PATCH /books/7', body: { subtitle: null, price: 0 } });
    expect(maskOf(message)).toEqual(['subtitle', 'price']);
    expect(json['book']).toEqual({ price: 0 });
  });

  it('no keys: nothing is written, which is not the same as no mask', () => {
    expect(mask('PATCH /books/7', {})).toEqual([]);
    expect(mask('PATCH /books/7')).toEqual([]);
  });

  it('a mask that was sent is kept', () => {
    expect(mask('PATCH /books/7?updateMask=title', { title: 'a', subtitle: 'b' })).toEqual(['title']);
    expect(mask('PATCH /books/7?updateMask=lastRead&dryRun=true', {})).toEqual(['last_read']);
  });

  it('the mask of a body is not a field of it', () => {
    expect(() => mask('PATCH /books/7', { updateMask: 'title' })).toThrow('"updateMask" is not a field here');
    expect(() => mask('PATCH /books/7', { id: '8' })).toThrow('"id" is not a field here. Send only title, subtitle');
  });
});

import { describe, expect, it } from 'vitest';
import { requestsOf } from './read-request.ts';
import { routesOfService } from './test-protos.ts';

const request = requestsOf([...routesOfService('EchoService'), ...routesOfService('LibraryService')]);

/** The value of `info` after these parameters, which are written without the prefix. */
function info(query: string): unknown {
  const parameters = query.split('&').map((parameter) => `info.${parameter}`);
  return request({ line: `GET /echo/query?${parameters.join('&')}` }).json['info'];
}

describe('every type of field has its text', () => {
  it.each([
    ['fString=hello', { fString: 'hello' }],
    ['fString=', {}],
    ['pString=', { pString: '' }],
    ['fString=a+b%20c%2Bd', { fString: 'a b c+d' }],
    ['fString=100%25', { fString: '100%' }],
    ['fString=%22quoted%22', { fString: '"quoted"' }],
    ['fString=a=b', { fString: 'a=b' }],
    ['fString=null', { fString: 'null' }],
    ['fInt32=2147483647', { fInt32: 2147483647 }],
    ['fInt32=-2147483648', { fInt32: -2147483648 }],
    ['pInt32=0', { pInt32: 0 }],
    ['fSint32=-2', { fSint32: -2 }],
    ['fSfixed32=-3', { fSfixed32: -3 }],
    ['fUint32=4294967295', { fUint32: 4294967295 }],
    ['fFixed32=7', { fFixed32: 7 }],
    ['fInt64=9223372036854775807', { fInt64: '9223372036854775807' }],
    ['fInt64=-9223372036854775808', { fInt64: '-9223372036854775808' }],
    ['fSint64=-13', { fSint64: '-13' }],
    ['fSfixed64=-17', { fSfixed64: '-17' }],
    ['fUint64=18446744073709551615', { fUint64: '18446744073709551615' }],
    ['fFixed64=23', { fFixed64: '23' }],
    ['fDouble=-29e4', { fDouble: -290000 }],
    ['fDouble=1.7976931348623157e308', { fDouble: 1.7976931348623157e308 }],
    ['fDouble=NaN', { fDouble: 'NaN' }],
    ['fDouble=-Infinity', { fDouble: '-Infinity' }],
    ['fFloat=0.5', { fFloat: 0.5 }],
    ['fFloat=3.4028234663852886e38', { fFloat: 3.4028234663852886e38 }],
    ['fBool=true', { fBool: true }],
    ['pBool=false', { pBool: false }],
    ['fBytes=YWJjPz8%2F', { fBytes: 'YWJjPz8/' }],
    ['fBytes=YWJjPz8_', { fBytes: 'YWJjPz8/' }],
    ['fKingdom=ANIMALIA', { fKingdom: 'ANIMALIA' }],
    ['timestamp=2026-01-31T12:00:00Z', { timestamp: '2026-01-31T12:00:00Z' }],
    ['timestamp=2026-01-31T12:00:00.5%2B02:00', { timestamp: '2026-01-31T10:00:00.500Z' }],
    ['duration=3.000000001s', { duration: '3.000000001s' }],
    ['mask=fString,child.fBool', { mask: 'fString,child.fBool' }],
    ['struct={"a":[1,null]}', { struct: { a: [1, null] } }],
    ['value=null', { value: null }],
    ['value="text"', { value: 'text' }],
    ['list=[1,"b"]', { list: [1, 'b'] }],
    ['wString=hello', { wString: 'hello' }],
    ['wInt32=-2', { wInt32: -2 }],
    ['wInt64=3', { wInt64: '3' }],
    ['wBool=false', { wBool: false }],
    ['wDouble=2.5', { wDouble: 2.5 }],
    ['wBytes=YWJj', { wBytes: 'YWJj' }],
    ['strings=a&strings=b&strings=', { strings: ['a', 'b', ''] }],
    ['numbers=3&numbers=1&numbers=3', { numbers: [3, 1, 3] }],
    ['kingdoms=FUNGI&kingdoms=ANIMALIA', { kingdoms: ['FUNGI', 'ANIMALIA'] }],
    ['timestamps=2026-01-31T12:00:00Z', { timestamps: ['2026-01-31T12:00:00Z'] }],
    ['child.child.fString=deep&child.fInt32=1', { child: { fInt32: 1, child: { fString: 'deep' } } }],
    ['child.strings=a&child.strings=b', { child: { strings: ['a', 'b'] } }],
    ['cString=one', { cString: 'one' }],
    ['cInfo.fInt32=1&cInfo.fString=x', { cInfo: { fInt32: 1, fString: 'x' } }],
  ])('%s', (query, expected) => {
    const sent = query.replaceAll(/[{}[\]"]/g, (character) => encodeURIComponent(character));
    expect(info(sent)).toEqual(Object.keys(expected).length === 0 ? {} : expected);
  });

  it('proto names are understood as well as JSON names', () => {
    expect(request({ line: 'GET /echo/query?f_int32=1&info.f_string=a&info.child.p_int32=2' }).json).toEqual({
      fInt32: 1,
      info: { fString: 'a', child: { pInt32: 2 } },
    });
  });

  it('empty pieces and escaped names are read as forms write them', () => {
    expect(request({ line: 'GET /echo/query?&name=a&&f%49nt32=1&' }).json).toEqual({ name: 'a', fInt32: 1 });
  });
});

describe('a value that is not of the type is refused, and the message says what to send', () => {
  it.each([
    ['fInt32=1e3', 'must be an integer from -2147483648 to 2147483647, not "1e3"'],
    ['fInt32=1.5', 'an integer'],
    ['fInt32=1.0', 'an integer'],
    ['fInt32=+1', 'not " 1"'],
    ['fInt32=%2B1', 'not "+1"'],
    ['fInt32=1%20', 'not "1 "'],
    ['fInt32=01', 'an integer'],
    ['fInt32=-0', 'an integer'],
    ['fInt32=0x10', 'an integer'],
    ['fInt32=', 'an integer'],
    ['fInt32=null', 'an integer'],
    ['fInt32', 'an integer'],
    ['fInt32=2147483648', 'an integer'],
    ['fInt32=٣', 'an integer'],
    ['fUint32=-1', 'an integer from 0 to 4294967295'],
    ['fInt64=9223372036854775808', 'an integer from -9223372036854775808 to 9223372036854775807'],
    ['fUint64=18446744073709551616', 'an integer'],
    [`fInt64=${'9'.repeat(500)}`, 'an integer'],
    ['fDouble=', 'a number'],
    ['fDouble=1e999', 'a number'],
    ['fDouble=.5', 'a number'],
    ['fDouble=1_000', 'a number'],
    ['fDouble=nan', 'a number'],
    ['fFloat=3.5e38', 'a number'],
    ['fBool=1', 'must be true or false, not "1"'],
    ['fBool=TRUE', 'true or false'],
    ['fBool', 'true or false'],
    ['fBytes=%3F%3F', 'base64'],
    ['fKingdom=MINERALIA', 'must be one of FUNGI, PLANTAE, ANIMALIA, not "MINERALIA"'],
    ['fKingdom=animalia', 'one of'],
    ['fKingdom=3', 'one of'],
    ['fKingdom=', 'one of'],
    ['kingdoms=FUNGI&info.kingdoms=STONE', '"info.kingdoms" must be one of'],
    ['timestamp=yesterday', 'a date-time such as'],
    ['timestamp=null', 'a date-time such as'],
    ['timestamp=2026-02-30T00:00:00', 'a date-time such as'],
    ['duration=3', 'a duration in seconds such as'],
    ['struct=[]', 'a JSON object'],
    ['struct=%7B', 'a JSON object'],
    ['list=%7B%7D', 'a JSON array'],
    ['value=text', 'a JSON value'],
    ['wInt32=1.5', 'an integer'],
    ['pKingdom=KINGDOM_UNSPECIFIED', 'pKingdom" must be one of'],
    ['fKingdom=1', 'fKingdom" must be one of'],
    ['timestamp=2026-02-30T12:00:00Z', 'timestamp" must be a date-time such as'],
    ['timestamp=2026-01-31T24:00:00Z', 'timestamp" must be a date-time such as'],
    ['fString=%00', 'holds a NUL character'],
    ['strings=a%00b', 'holds a NUL character'],
    ['struct=%7B%22a%22:%22%5Cu0000%22%7D', 'holds a NUL character'],
    ['fString=%ff', 'not valid percent-encoded UTF-8'],
    ['fString=%', 'not valid percent-encoded UTF-8'],
    ['fString=a&info.fString=b', '"info.fString" may be sent only once'],
    ['fString=a&info.f_string=a', '"info.fString" may be sent only once'],
    ['cString=a&info.cInt32=1', 'info.cString and info.cInt32 cannot both be sent'],
    ['child=%7B%7D&info.child.fString=a', '"info.child" and "info.child.fString" cannot both be sent'],
    ['child.fString=a&info.child=%7B%7D', '"info.child.fString" and "info.child" cannot both be sent'],
  ])('%s', (query, problem) => {
    const all = `info.${query}`;
    expect(() => request({ line: `GET /echo/query?${all}` })).toThrow(
      expect.objectContaining({ kind: 'INVALID', code: 'BAD_REQUEST', message: expect.stringContaining(problem) }),
    );
  });
});

describe('a parameter that the operation does not have is refused with those that it has', () => {
  it.each([
    [
      'GET /books/paginated?page=1&limit=1&sort=name',
      'Unknown query parameter "sort". This operation takes page, limit, filters.',
    ],
    ['GET /books/paginated?Page=1', '"Page"'],
    ['GET /books/7?id=8', 'Unknown query parameter "id". This operation takes none.'],
    ['GET /books/7?a.b=8', '"a.b"'],
    ['DELETE /books/7?id=8', 'takes force.'],
    ['GET /echo/query?info.unknown=1', '"info.unknown"'],
    ['GET /echo/query?info.timestamp.seconds=1', '"info.timestamp.seconds"'],
    ['GET /echo/query?info.fString.x=1', '"info.fString.x"'],
    ['GET /echo/query?info.infos=%7B%7D', '"info.infos"'],
    ['GET /echo/query?info.infos.fString=1', '"info.infos.fString"'],
    ['GET /echo/query?info.names=%7B%7D', '"info.names"'],
    ['GET /echo/query?info.names[a]=1', '"info.names[a]"'],
    ['GET /echo/query?__proto__=1', '"__proto__"'],
    ['GET /echo/query?info.__proto__.x=1', '"info.__proto__.x"'],
    ['GET /echo/a/1/1/true/FUNGI/path?info.fString=b', '"info.fString"'],
    ['POST /echo/field?info.fString=b', '"info.fString"'],
    ['POST /echo/body?name=b', 'takes none'],
  ])('%s', (line, problem) => {
    expect(() => request({ line })).toThrow(
      expect.objectContaining({ kind: 'INVALID', code: 'BAD_REQUEST', message: expect.stringContaining(problem) }),
    );
  });
});

describe('a parameter that is a message is sent as its JSON text', () => {
  const filters = (value: unknown) =>
    `filters=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`;

  it('and is read strictly', () => {
    const sent = {
      filters: [
        { field: 'name', value: null },
        { field: 'id', value: ['a', 1, true] },
      ],
      matchAll: false,
    };
    expect(request({ line: `GET /books?${filters(sent)}` }).json).toEqual({ filters: sent });
    expect(request({ line: `GET /books?bindings=PAPERBACK&${filters({})}` }).json).toEqual({
      bindings: ['PAPERBACK'],
      filters: {},
    });
  });

  it('its fields may be parameters of their own', () => {
    expect(request({ line: 'GET /books?filters.matchAll=true' }).json).toEqual({ filters: { matchAll: true } });
  });

  it.each([
    ['not JSON', 'must be valid JSON'],
    ['', 'must be valid JSON'],
    ['{"filters":[}', 'must be valid JSON'],
    [[], 'it must be a JSON object, not an array'],
    ['null', 'it must be a JSON object, not null'],
    ['"text"', 'it must be a JSON object'],
    [{ filters: {} }, 'filters must be an array, not an object'],
    [{ filters: 'name' }, 'filters must be an array, not "name"'],
    [{ filters: ['name'] }, 'filters[0] must be a JSON object'],
    [{ filters: [{ field: 'a' }, { field: 7 }] }, 'filters[1].field must be a string, not 7'],
    [{ filters: [{ field: 'a', values: 1 }] }, '"filters[0].values" is not a field here. Send only field, value.'],
    [{ filter: [] }, '"filter" is not a field here. Send only filters, matchAll.'],
    [{ matchAll: 'yes' }, 'matchAll must be true or false, not "yes"'],
    [{ filters: [{ field: 'a', value: 'x\0' }] }, 'filters.filters[0].value holds a NUL character'],
    ['{"filters":[{"field":"a","value":{"b":"\\udfff"}}]}', 'filters[0].value'],
    ['{"filters":[{"field":"\\ud800"}]}', 'filters[0].field holds half of a surrogate pair'],
    ['{"filters":['.repeat(500), 'must be valid JSON'],
  ])('%j is refused with the code of the operation', (value, problem) => {
    const refusal = (code: string) =>
      expect.objectContaining({ kind: 'INVALID', code, message: expect.stringContaining(problem) });
    expect(() => request({ line: `GET /books?${filters(value)}` })).toThrow(refusal('INTERNAL_SERVER_ERROR'));
    expect(() => request({ line: `GET /books/paginated?${filters(value)}` })).toThrow(refusal('BAD_REQUEST'));
  });

  it('other parameters of the same operation keep the plain code', () => {
    expect(() => request({ line: 'GET /books?bindings=STONE' })).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST' }),
    );
    expect(() => request({ line: `GET /books?${filters({})}&${filters({})}` })).toThrow(
      expect.objectContaining({ code: 'INTERNAL_SERVER_ERROR' }),
    );
  });
});

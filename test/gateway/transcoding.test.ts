import { fromJson, type JsonObject, type JsonValue, toJson } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestsOf, type TestRequest } from './read-request.ts';
import { routeOfRpc, routesOfService } from './test-protos.ts';

/*
 * The same data must arrive by every way of sending. The sender here is written from the documentation of google.api.http alone, and shares
 * no code with the gateway.
 */

const request = requestsOf(routesOfService('EchoService'));
const input = routeOfRpc('EchoService.InBody').rpc.input;

/** All fields in the body. */
function inBody(data: JsonObject): TestRequest {
  return { line: 'POST /echo/body', body: data };
}

/** `info` in the body, the rest in the query. */
function inBodyField({ info = {}, ...rest }: JsonObject): TestRequest {
  return { line: `POST /echo/field?${queryOf(rest)}`, body: info };
}

/** All fields in the query. */
function inQuery(data: JsonObject): TestRequest {
  return { line: `GET /echo/query?${queryOf(data)}` };
}

/** Five fields of `info` in the path, the rest in the query. */
function inPath({ info, ...rest }: JsonObject): TestRequest {
  const { fString, fInt32 = 0, fDouble = 0, fBool = false, fKingdom, ...others } = info as JsonObject;
  const values = [fString, fInt32, fDouble, fBool, fKingdom].map((value) => escaped(value));
  return { line: `GET /echo/${values.join('/')}/path?${queryOf({ info: others, ...rest })}` };
}

/** Fields as `a.b=value`; repeated ones once for each element. */
function queryOf(data: JsonObject): string {
  return [...leavesOf(data, '')].map(([name, value]) => `${name}=${escaped(value)}`).join('&');
}

function escaped(value: JsonValue | undefined): string {
  return encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
}

function* leavesOf(value: JsonValue, name: string): Iterable<[string, JsonValue]> {
  if (Array.isArray(value)) {
    for (const element of value) yield [name, element];
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, name === '' ? key : `${name}.${key}`);
  } else {
    yield [name, value];
  }
}

/** The result of protobuf's own JSON reader. */
function expected(data: JsonObject): unknown {
  return toJson(input, fromJson(input, data));
}

const everyWay = { inBody, inBodyField, inQuery, inPath };

const basic: JsonObject = {
  fString: 'Hello',
  fInt32: -1,
  fSint32: -2,
  fSfixed32: -3,
  fUint32: 5,
  fFixed32: 7,
  fInt64: '-11',
  fSint64: '-13',
  fSfixed64: '-17',
  fUint64: '19',
  fFixed64: '23',
  fDouble: -29e4,
  fFloat: -31,
  fBool: true,
  fBytes: 'AP8/',
  fKingdom: 'ANIMALIA',
  child: { fString: 'second/bool/salutation' },
};

const cases: Record<string, JsonObject> = {
  'basic types': { name: 'n', fInt32: -10, pInt64: '-477', info: basic },
  'with presence': {
    info: { ...basic, pString: 'Goodbye', pInt32: -37, pDouble: -41.43, pBool: true, pKingdom: 'PLANTAE' },
  },
  'zero, and set': {
    pInt64: '0',
    info: { fString: 'x', fKingdom: 'FUNGI', pString: '', pInt32: 0, pDouble: 0, pBool: false },
  },
  'largest values': {
    info: {
      ...basic,
      fInt32: 2147483647,
      fUint32: 4294967295,
      fInt64: '9223372036854775807',
      fUint64: '18446744073709551615',
      fDouble: 1.7976931348623157e308,
      fFloat: 3.4028234663852886e38,
    },
  },
  'smallest values': { info: { ...basic, fInt32: -2147483648, fInt64: '-9223372036854775808', fDouble: 5e-324 } },
  'not numbers': { info: { fString: 'x', fDouble: 'NaN', fFloat: '-Infinity', pDouble: 'Infinity' } },
  'text that means something in a URL': {
    name: '?a=b&c#d',
    info: { fString: 'a/b?c=d&e#f:g;h+i%2F%', child: { fString: '../x' } },
  },
  'text beyond ASCII': { name: '☺ → ←', info: { fString: '"\\/\b\f\r\t\n\u1234 \u{1f600}' } },
  'text with colons': { info: { fString: 'first:path', child: { fString: ':query' } } },
  'repeated fields': {
    info: { fString: 'x', strings: ['a', '', 'a b'], numbers: [1, -1, 1], kingdoms: ['FUNGI', 'PLANTAE'] },
  },
  'well-known types': {
    info: {
      fString: 'x',
      timestamp: '2026-01-31T12:00:00.123456789Z',
      duration: '-3.000000001s',
      mask: 'fString,child.fBool',
      wString: '',
      wInt32: 0,
      wInt64: '1',
      wBool: false,
      wDouble: 0.1,
      wBytes: 'YQ==',
      timestamps: ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
    },
  },
  'messages in messages': {
    info: { fString: 'x', child: { fInt32: 1, child: { fBool: true, child: { strings: ['deep'] } } } },
  },
  'a oneof': { info: { fString: 'x', cInfo: { fString: 'inside' } } },
};

for (const [way, send] of Object.entries(everyWay)) {
  describe(`data arrives as it was sent ${way.replace(/([A-Z])/g, ' $1').toLowerCase()}`, () => {
    it.each(Object.entries(cases))('%s', (_, { info, ...rest }) => {
      // A path cannot omit it, and callers do not send the value for an empty one.
      const data = { ...rest, info: { fKingdom: 'FUNGI', ...(info as JsonObject) } };
      expect(request(send(data)).json).toEqual(expected(data));
    });
  });
}

it('any data arrives the same in every way', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !value.includes('\0'));
  const segment = text.filter((value) => value !== '');
  const scalars = fc.record(
    {
      fInt32: fc.integer(),
      fUint32: fc.nat(),
      fInt64: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String),
      fUint64: fc.bigInt(0n, 2n ** 64n - 1n).map(String),
      fDouble: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
      fBool: fc.boolean(),
      fKingdom: fc.constantFrom('FUNGI', 'PLANTAE', 'ANIMALIA'),
      pString: text,
      pInt32: fc.integer(),
      strings: fc.array(text, { minLength: 1, maxLength: 4 }),
    },
    { requiredKeys: ['fKingdom'] },
  );
  const data = fc.record({
    name: text,
    info: fc.tuple(segment, scalars).map(([fString, rest]) => ({ fString, ...rest })),
  });

  fc.assert(
    fc.property(data, fc.constantFrom(...Object.values(everyWay)), (sent, send) => {
      expect(request(send(sent)).json).toEqual(expected(sent));
    }),
    { numRuns: 500 },
  );
});

import fc from 'fast-check';
import type { Fields } from '../../contract/support/requests.ts';

/** JSON, or text that is nearly JSON. */
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Values that programs send by mistake, and attackers on purpose, instead of the expected one. */
const WRONG_VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  0.1,
  0.00001,
  2 ** 31,
  2 ** 53 + 2,
  -(2 ** 63),
  1e308,
  5e-324,
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '%',
  '%00',
  '_',
  '\\',
  '"',
  "' or 1=1 --",
  '\0',
  'a\0b',
  '\u202e',
  '\ufeff',
  '😀'.repeat(200),
  'x'.repeat(256),
  'x'.repeat(70_000),
  '../../etc/passwd',
  '${jndi:ldap://x}',
  '<script>',
  'ACTIVE',
  'EXTERNAL',
  'UNSPECIFIED',
  'TYPE_UNSPECIFIED',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '0197c3a8-0000-7000-8000',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '10000-01-01T00:00:00Z',
  '0000-00-00',
  'Europe/Nowhere',
  'http://',
  'ftp://example.com/',
  'http://[',
  'http://user:password@127.0.0.1:1/',
  '//',
  'javascript:1',
  [],
  [[]],
  [null],
  {},
  { '': 0 },
  JSON.parse('{"__proto__": {"x": 1}}'),
  { constructor: null },
  { id: {} },
  Array(1_001).fill(0),
  Array(10_001).fill('0197c3a8-0000-7000-8000-000000000000'),
];

/** A value that is probably unexpected. */
const junk: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WRONG_VALUES) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json> },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

/** One change to a JSON value, at a location that `at` chooses. */
type Change = {
  readonly what: 'replace' | 'remove' | 'add' | 'wrap' | 'repeat';
  readonly at: number;
  readonly by: Json;
};

const change: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'repeat'),
  at: fc.nat(10_000),
  by: junk,
});

/** One to three changes to a valid value. */
export const changes: fc.Arbitrary<readonly Change[]> = fc.array(change, { minLength: 1, maxLength: 3 });

/** The fields after the changes. */
export function changed(fields: Fields, made: readonly Change[]): Fields {
  let value = structuredClone(fields) as Record<string, Json>;
  // The same value may be inserted twice, and must not contain itself.
  for (const one of made) value = apply(value, { ...one, by: structuredClone(one.by) });
  return value;
}

/** Text that is not JSON, or JSON with an unclear meaning. */
export const brokenJson: fc.Arbitrary<(text: string) => string | Uint8Array> = fc.oneof(
  fc.nat(100).map((part) => (text: string) => text.slice(0, Math.floor((text.length * part) / 100))),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => () => bytes),
  fc.constantFrom<(text: string) => string | Uint8Array>(
    () => '['.repeat(20_000),
    () => `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    (text) => `\ufeff${text}`,
    (text) => text + text,
    (text) => text.replaceAll('"', "'"),
    (text) => text.replaceAll('":"', '":"\\ud800'),
    (text) => text.replace('{', '{"name":1,"name":2,'),
    (text) => text.replace('{', '{"__proto__":{"admin":true},'),
    (text) => Buffer.from(text, 'utf16le'),
    (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
    () => '1e999999999',
    () => '9'.repeat(100_000),
    () => '"\\ud800"',
    () => '',
  ),
);

/** Applies the change to the object or array at the location; the whole value is never replaced, so that a request stays an object. */
function apply(root: Record<string, Json>, { what, at, by }: Change): Record<string, Json> {
  const locations = locationsIn(root);
  const location = locations[at % Math.max(1, locations.length)];
  if (what === 'add' || location === undefined) {
    const holder = location !== undefined && isObject(location.holder) ? location.holder : root;
    return set(root, holder, ['extra', 'id', 'operationId', 'filters', '__proto__', 'client_id'][at % 6]!, by);
  }
  const { holder, name } = location;
  const old = (holder as Record<string, Json>)[name]!;
  if (what === 'remove' && isObject(holder)) delete holder[name];
  else if (what === 'repeat')
    return set(root, holder, name, Array.isArray(old) ? [...old, ...old, ...old] : [old, old]);
  else return set(root, holder, name, what === 'wrap' ? { value: old } : by);
  return root;
}

type Holder = Json[] | { [name: string]: Json };

function set(root: Record<string, Json>, holder: Holder, name: string, value: Json): Record<string, Json> {
  // `defineProperty` instead of an assignment, because `__proto__` would then set the prototype.
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
  return root;
}

/** Every value inside a value, with its parent. */
function locationsIn(holder: Holder): Array<{ holder: Holder; name: string }> {
  return Object.entries(holder).flatMap(([name, value]) => [
    { holder, name },
    ...(typeof value === 'object' && value !== null ? locationsIn(value) : []),
  ]);
}

function isObject(holder: Holder): holder is { [name: string]: Json } {
  return !Array.isArray(holder);
}

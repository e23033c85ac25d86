/**
 * A parsed `google.api.http` path template, for example `/v1/{name=shelves/*}/books/{book_id}:archive`.
 * The grammar is that of google/api/http.proto, nothing more: no variable inside a variable, and `**` only at the end.
 */
export type PathTemplate = {
  readonly segments: readonly Segment[];
  /** In the order of the text. */
  readonly variables: readonly PathVariable[];
  /** The custom verb after the last colon, percent-decoded; empty without one. */
  readonly verb: string;
};

export type Segment =
  /** Matches this text, which is percent-decoded here. */
  | { readonly kind: 'literal'; readonly text: string }
  /** `*`: any one segment that is not empty. */
  | { readonly kind: 'any' }
  /** `**`: all segments that are left, also none. */
  | { readonly kind: 'rest' };

/** A part of the path that is written into a field of the request. */
export type PathVariable = {
  /** Names of fields as in the proto, joined by dots. */
  readonly fieldPath: string;
  /** Index of its first segment. */
  readonly start: number;
  /** Index after its last segment; Infinity if it ends with `**`. */
  readonly end: number;
  /** `{field}` and `{field=*}`: the value is one segment and every escape in it is decoded. */
  readonly single: boolean;
};

/** @throws Error that names the template, the column (from 1) and what is wrong there */
export function parsePathTemplate(text: string): PathTemplate {
  const cursor: Cursor = { text, at: 0, segments: [], variables: [] };
  expect(cursor, '/');
  readSegments(cursor, true);
  const verb = peek(cursor) === ':' ? readVerb(cursor) : '';
  if (cursor.at < text.length) fail(cursor, `unexpected "${peek(cursor)}"`);
  assertRestIsLast(cursor);
  return { segments: cursor.segments, variables: cursor.variables, verb };
}

/** How far the text has been read, and what was found in it. */
type Cursor = { readonly text: string; at: number; readonly segments: Segment[]; readonly variables: PathVariable[] };

/** What a path may hold unescaped (RFC 3986 pchar), less `:` and `*`, which have a meaning in templates. */
const literalCharacter = /[A-Za-z0-9\-._~!$&'()+,;=@]/;

function readSegments(cursor: Cursor, mayHoldVariables: boolean): void {
  for (;;) {
    readSegment(cursor, mayHoldVariables);
    if (peek(cursor) !== '/') return;
    cursor.at++;
  }
}

function readSegment(cursor: Cursor, mayBeVariable: boolean): void {
  if (peek(cursor) === '{') {
    if (!mayBeVariable) fail(cursor, 'a variable inside a variable is not allowed');
    return readVariable(cursor);
  }
  if (peek(cursor) !== '*') {
    cursor.segments.push({ kind: 'literal', text: readLiteral(cursor) });
    return;
  }
  cursor.at++;
  if (peek(cursor) !== '*') {
    cursor.segments.push({ kind: 'any' });
    return;
  }
  cursor.at++;
  cursor.segments.push({ kind: 'rest' });
}

function readVariable(cursor: Cursor): void {
  cursor.at++;
  const fieldPath = readFieldPath(cursor);
  if (cursor.variables.some((variable) => variable.fieldPath === fieldPath)) {
    fail(cursor, `the variable "${fieldPath}" occurs twice`);
  }
  const start = cursor.segments.length;
  if (peek(cursor) === '=') {
    cursor.at++;
    readSegments(cursor, false);
  } else {
    cursor.segments.push({ kind: 'any' });
  }
  expect(cursor, '}');
  const end = cursor.segments.at(-1)?.kind === 'rest' ? Infinity : cursor.segments.length;
  const single = end - start === 1;
  cursor.variables.push({ fieldPath, start, end, single });
}

function readFieldPath(cursor: Cursor): string {
  const start = cursor.at;
  for (;;) {
    if (!/[A-Za-z_]/.test(peek(cursor))) fail(cursor, 'expected the name of a field');
    while (/[A-Za-z0-9_]/.test(peek(cursor))) cursor.at++;
    if (peek(cursor) !== '.') return cursor.text.slice(start, cursor.at);
    cursor.at++;
  }
}

function readLiteral(cursor: Cursor): string {
  const start = cursor.at;
  while (peek(cursor) === '%' || literalCharacter.test(peek(cursor))) cursor.at++;
  if (cursor.at === start) fail(cursor, 'expected text, "*" or a variable');
  try {
    return decodeURIComponent(cursor.text.slice(start, cursor.at));
  } catch {
    return fail({ ...cursor, at: start }, 'a "%" must be followed by the two hexadecimal digits of a UTF-8 byte');
  }
}

function readVerb(cursor: Cursor): string {
  cursor.at++;
  const parts = [readLiteral(cursor)];
  while (peek(cursor) === ':') {
    cursor.at++;
    parts.push(readLiteral(cursor));
  }
  return parts.join(':');
}

function assertRestIsLast(cursor: Cursor): void {
  const rest = cursor.segments.findIndex((segment) => segment.kind === 'rest');
  if (rest === -1 || rest === cursor.segments.length - 1) return;
  throw new Error(`Path template "${cursor.text}": "**" must be the last segment.`);
}

/** The next character; empty at the end, which no test for a character accepts. */
function peek(cursor: Cursor): string {
  return cursor.text.charAt(cursor.at);
}

function expect(cursor: Cursor, character: string): void {
  if (peek(cursor) !== character) fail(cursor, `expected "${character}"`);
  cursor.at++;
}

function fail(cursor: Cursor, problem: string): never {
  throw new Error(`Path template "${cursor.text}", column ${cursor.at + 1}: ${problem}.`);
}

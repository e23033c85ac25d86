import { describe, expect, it } from 'vitest';
import { fieldPathsOf, parsePathTemplate } from '../../src/gateway/path-template.ts';

/** Segments in readable form: text, and `{}` for a variable. */
function shown(template: string): string[] {
  return parsePathTemplate(template).map((segment) => (segment.kind === 'literal' ? segment.text : '{}'));
}

describe('text and variables of one segment are read', () => {
  it.each([
    ['/a', ['a'], []],
    ['/v1/books', ['v1', 'books'], []],
    ['/admin/exports/product-codes.csv', ['admin', 'exports', 'product-codes.csv'], []],
    ['/-._~', ['-._~'], []],
    ['/{id}', ['{}'], ['id']],
    ['/{_}', ['{}'], ['_']],
    ['/books/{book_id}/read', ['books', '{}', 'read'], ['book_id']],
    ['/{a}/{b.c}/x/{b.d.e}', ['{}', '{}', 'x', '{}'], ['a', 'b.c', 'b.d.e']],
  ])('%s', (template, segments, fieldPaths) => {
    expect(shown(template)).toEqual(segments);
    expect(fieldPathsOf(parsePathTemplate(template))).toEqual(fieldPaths);
  });
});

function refusalOf(template: string): string {
  try {
    parsePathTemplate(template);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`${template} was not refused.`);
}

describe('what google.api.http could say beyond that is refused with what to write instead', () => {
  const wildcard = 'a wildcard is not served. Write a variable for each segment, such as "{id}".';
  it.each([
    ['/*', `column 2: ${wildcard}`],
    ['/v1/*/pages', `column 5: ${wildcard}`],
    ['/files/**', `column 8: ${wildcard}`],
    ['/book*', `column 6: ${wildcard}`],
    ['/{id=*}', 'column 5: a variable is any one segment. Write "{id}".'],
    ['/{kind=fixed}', 'column 7: a variable is any one segment. Write "{kind}".'],
    ['/v1/{name=shelves/*}', 'column 10: a variable is any one segment. Write "{name}".'],
    ['/files/{path=**}', 'column 13: a variable is any one segment. Write "{path}".'],
    ['/{a.b={c}}', 'column 6: a variable is any one segment. Write "{a.b}".'],
    ['/books/{id}:archive', 'column 12: a custom verb is not served. Write "/archive", a segment of its own.'],
    ['/books:export', 'column 7: a custom verb is not served. Write "/export", a segment of its own.'],
    ['/a:%2c', 'column 3: a custom verb is not served.'],
    ['/a%2Fb', 'column 3: unexpected "%". Write letters, digits, "-", ".", "_" and "~" only.'],
  ])('%s', (template, problem) => {
    expect(refusalOf(template)).toContain(`Path template "${template}", ${problem}`);
  });
});

describe('what is not a template is refused with the place of the fault', () => {
  const names = 'write the names of fields in braces, such as "{id}" or "{account.id}".';
  const whole = 'a variable is a whole segment. Write it between slashes, such as "/{id}/".';
  it.each([
    ['', 'column 1: expected "/".'],
    ['books', 'column 1: expected "/".'],
    ['/', 'column 2: a segment is empty. Write text or a variable such as "{id}".'],
    ['/books/', 'column 8: a segment is empty.'],
    ['//books', 'column 2: a segment is empty.'],
    ['/books?page=1', 'column 7: unexpected "?".'],
    ['/books#a', 'column 7: unexpected "#".'],
    ['/my books', 'column 4: unexpected " ".'],
    ['/bücher', 'column 3: unexpected "ü".'],
    ['/a/😀', 'column 4: unexpected "😀".'],
    ['/a=b', 'column 3: unexpected "=".'],
    ['/{}', `column 2: ${names}`],
    ['/{1}', `column 2: ${names}`],
    ['/x/{a.1}', `column 4: ${names}`],
    ['/{a.}', `column 2: ${names}`],
    ['/{.a}', `column 2: ${names}`],
    ['/{-}', `column 3: ${names}`],
    ['/{a-}', `column 4: ${names}`],
    ['/{a:b}', `column 4: ${names}`],
    ['/{a{b}}', `column 4: ${names}`],
    ['/{a', `column 2: ${names}`],
    ['/{a/b}', `column 2: ${names}`],
    ['/a}', `column 3: ${whole}`],
    ['/a{b}', `column 3: ${whole}`],
    ['/{a}b', `column 5: ${whole}`],
    ['/{a}{b}', `column 5: ${whole}`],
    ['/{a}/{a}', 'column 6: the variable "{a}" occurs twice. Name another field.'],
  ])('%j', (template, problem) => {
    expect(refusalOf(template)).toContain(`Path template "${template}", ${problem}`);
  });
});

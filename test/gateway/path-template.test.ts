import { describe, expect, it } from 'vitest';
import { parsePathTemplate, type Segment } from '../../src/gateway/path-template.ts';

/** Segments as one reads them: text, `*`, `**`. */
function shown(segments: readonly Segment[]): string[] {
  return segments.map((segment) => {
    if (segment.kind === 'literal') return segment.text;
    return segment.kind === 'any' ? '*' : '**';
  });
}

describe('templates of google.api.http are read', () => {
  it.each([
    ['/a', ['a'], ''],
    ['/v1/books', ['v1', 'books'], ''],
    ['/v1/books/latest/pages', ['v1', 'books', 'latest', 'pages'], ''],
    ['/*', ['*'], ''],
    ['/v1/*/pages', ['v1', '*', 'pages'], ''],
    ['/files/**', ['files', '**'], ''],
    ['/**', ['**'], ''],
    ['/v1:watch', ['v1'], 'watch'],
    ['/v1/books/*:archive', ['v1', 'books', '*'], 'archive'],
    ['/v1/books:a:b', ['v1', 'books'], 'a:b'],
    ['/files/**:move', ['files', '**'], 'move'],
    ["/-._~!$&'()+,;=@", ["-._~!$&'()+,;=@"], ''],
    ['/a%2Fb/%2A', ['a/b', '*'], ''],
    ['/%e7%ac%ac', ['第'], ''],
    ['/a:%2c', ['a'], ','],
  ])('%s', (text, segments, verb) => {
    const template = parsePathTemplate(text);
    expect([shown(template.segments), template.verb, template.variables]).toEqual([segments, verb, []]);
  });

  it('an escaped asterisk is text, a bare one a wildcard', () => {
    expect(parsePathTemplate('/%2A/*').segments).toEqual([{ kind: 'literal', text: '*' }, { kind: 'any' }]);
  });
});

describe('variables know their field and the segments that they span', () => {
  it.each([
    ['/{id}', ['*'], [['id', 0, 1, true]]],
    ['/{_}', ['*'], [['_', 0, 1, true]]],
    ['/{id=*}', ['*'], [['id', 0, 1, true]]],
    ['/{kind=fixed}', ['fixed'], [['kind', 0, 1, true]]],
    ['/books/{id}:read', ['books', '*'], [['id', 1, 2, true]]],
    [
      '/{a}/{b.c}/x/{b.d.e}',
      ['*', '*', 'x', '*'],
      [
        ['a', 0, 1, true],
        ['b.c', 1, 2, true],
        ['b.d.e', 3, 4, true],
      ],
    ],
    ['/v1/{name=shelves/*}', ['v1', 'shelves', '*'], [['name', 1, 3, false]]],
    ['/v1/{name=shelves/*/books/*}:cancel', ['v1', 'shelves', '*', 'books', '*'], [['name', 1, 5, false]]],
    ['/v1/{parent=shelves/*}/books', ['v1', 'shelves', '*', 'books'], [['parent', 1, 3, false]]],
    [
      '/v1/{a=x/*}/{b=y/*}/z',
      ['v1', 'x', '*', 'y', '*', 'z'],
      [
        ['a', 1, 3, false],
        ['b', 3, 5, false],
      ],
    ],
    ['/files/{path=**}', ['files', '**'], [['path', 1, Infinity, false]]],
    ['/{path=files/**}', ['files', '**'], [['path', 0, Infinity, false]]],
    [
      '/x/*/{id}/{rest=**}:do',
      ['x', '*', '*', '**'],
      [
        ['id', 2, 3, true],
        ['rest', 3, Infinity, false],
      ],
    ],
  ])('%s', (text, segments, variables) => {
    const template = parsePathTemplate(text);
    expect(shown(template.segments)).toEqual(segments);
    expect(template.variables.map(({ fieldPath, start, end, single }) => [fieldPath, start, end, single])).toEqual(
      variables,
    );
  });
});

describe('what is not a template is refused with the place of the fault', () => {
  it.each([
    ['', 'column 1: expected "/"'],
    ['books', 'column 1: expected "/"'],
    ['/', 'column 2: expected text'],
    ['/books/', 'column 8: expected text'],
    ['//books', 'column 2: expected text'],
    ['/books?page=1', 'column 7: unexpected "?"'],
    ['/books#a', 'column 7: unexpected "#"'],
    ['/my books', 'column 4: unexpected " "'],
    ['/bücher', 'column 3: unexpected "ü"'],
    ['/books:read/x', 'column 12: unexpected "/"'],
    ['/books:', 'column 8: expected text'],
    ['/books:read:', 'column 13: expected text'],
    ['/book*', 'column 6: unexpected "*"'],
    ['/***', 'column 4: unexpected "*"'],
    ['/**/books', '"**" must be the last segment'],
    ['/{a=**}/books', '"**" must be the last segment'],
    ['/{a=**/x}', '"**" must be the last segment'],
    ['/{}', 'column 3: expected the name of a field'],
    ['/{1}', 'column 3: expected the name of a field'],
    ['/{a.1}', 'column 5: expected the name of a field'],
    ['/{a.}', 'column 5: expected the name of a field'],
    ['/{-}', 'column 3: expected the name of a field'],
    ['/{a-}', 'column 4: expected "}"'],
    ['/{a', 'column 4: expected "}"'],
    ['/{a/b}', 'column 4: expected "}"'],
    ['/{a=}', 'column 5: expected text'],
    ['/{a={b}}', 'column 5: a variable inside a variable'],
    ['/{a={b}/{c}/*}/x', 'column 5: a variable inside a variable'],
    ['/a}', 'column 3: unexpected "}"'],
    ['/{a}b', 'column 5: unexpected "b"'],
    ['/{a}/{a}', 'column 8: the variable "a" occurs twice'],
    ['/a%1', 'column 2: a "%" must be followed'],
    ['/a/%zz', 'column 4: a "%" must be followed'],
    ['/%ff', 'column 2: a "%" must be followed'],
  ])('%j', (text, problem) => {
    expect(() => parsePathTemplate(text)).toThrow(problem);
    expect(() => parsePathTemplate(text)).toThrow(`"${text}"`);
  });
});

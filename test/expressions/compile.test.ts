import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../src/expressions/compile.ts';
import { type Decimal, decimalText } from '../../src/expressions/decimal.ts';
import { ExpressionError } from '../../src/expressions/expression-error.ts';
import type { ExpressionType } from '../../src/expressions/expression-type.ts';
import { environment, type Sample } from './random-expressions.ts';

const SAMPLE: Sample = {
  word: 'tea',
  size: 250,
  rate: 0.1,
  isNew: true,
  at: Date.parse('2026-03-01T02:30:00Z'),
  tags: ['hot', 'green'],
  timeZone: 'America/New_York',
};

function value(text: string, type: ExpressionType = 'BOOLEAN', sample: Sample = SAMPLE) {
  const result = compileExpression(text, environment, type).run(sample);
  return type === 'NUMBER' && result !== undefined ? decimalText(result as Decimal) : result;
}

function mistake(text: string, type: ExpressionType = 'BOOLEAN') {
  try {
    compileExpression(text, environment, type);
  } catch (error) {
    if (error instanceof ExpressionError)
      return { at: `${error.line}:${error.column}`, found: text.slice(error.start, error.end), says: error.message };
    throw error;
  }
  return undefined;
}

describe('a number', () => {
  test.each([
    ['event.rate + 0.2 == 0.3', true],
    ['event.size * 2 == 500', true],
    ['event.size * 2.0 == 500', true],
    ['0.1 * 3 - 0.3 == 0', true],
    ['event.size in [1, 250.0]', true],
  ])('is exact and of one type: %s', (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  test.each([
    ['1 / 3', '0.333333333333'],
    ['2 / 3', '0.666666666667'],
    ['-2 / 3', '-0.666666666667'],
    ['1 / 8', '0.125'],
    ['math.floor(-2.5)', '-3'],
    ['math.ceil(-2.5)', '-2'],
    ['math.least(3, event.rate, 2)', '0.1'],
    ['math.greatest(3)', '3'],
    ['12345678901234567890.0 * 1', '12345678901234567890'],
  ])('%s is %s', (text, expected) => {
    expect(value(text, 'NUMBER')).toBe(expected);
  });

  test.each([
    ['1 / (event.size - 250)', 'a division by zero'],
    ['1000000000000.0 * 1000000000000.0 * 1000000000000.0 * 1000000000000.0', 'more than 38 digits'],
    ['event.size + size(event.other)', 'a missing part'],
  ])('%s has no value: %s', (text) => {
    expect(value(text, 'NUMBER')).toBeUndefined();
  });
});

describe('a value that is missing', () => {
  test.each([
    ['event.other == "x"', undefined],
    ['event.other == "x" && false', false],
    ['false && event.other == "x"', false],
    ['event.other == "x" || true', true],
    ['event.other == "x" && true', undefined],
    ['!(event.other == "x")', undefined],
    ['event.other == "x" ? true : false', undefined],
    ['true ? true : event.other == "x"', true],
    ['has(event.other)', false],
    ['has(event.word)', true],
    ['event.other in ["x"]', undefined],
    ['event.tags.exists(tag, tag == event.other || tag == "hot")', true],
    ['event.tags.exists(tag, tag == event.other)', undefined],
    ['event.tags.all(tag, tag == event.other && tag == "cold")', false],
  ])('is what CEL makes of an error: %s is %s', (text, expected) => {
    expect(value(text)).toBe(expected);
  });
});

test.each([
  ['event.at.getHours() == 21', true],
  ['event.at.getDayOfWeek() == 6', true],
  ['event.at.getMonth() == 1 && event.at.getDate() == 28', true],
  ['event.at - duration("24h") < timestamp("2026-02-28T02:30:00.001Z")', true],
])("calendar functions follow the account's zone: %s", (text, expected) => {
  expect(value(text)).toBe(expected);
});

test('the names that an expression uses and its cost are known', () => {
  const { names, cost } = compileExpression(
    'event.tags.all(t, t != event.word) && event.isNew',
    environment,
    'BOOLEAN',
  );
  expect([...names]).toEqual(['event.tags', 'event.word', 'event.isNew']);
  // `&&`, `all`, `event.isNew`, and three steps for each of four entries.
  expect(cost).toBe(3 + 3 * 4);
});

test.each([
  ['event.word ==\n event.wrod && true', [2, 12], ['event.word', 'event.other']],
  ['event.word && true', [1, 11], ['BOOLEAN']],
  ['event.word = "tea"', [1, 13], ['==']],
  ['event.isNew &&', [1, 15], []],
])('the mistake in %j has an end, and what would fit for programs', (text, end, expected) => {
  try {
    compileExpression(text, environment, 'BOOLEAN');
    expect.unreachable();
  } catch (error) {
    const fault = error as ExpressionError;
    expect([fault.endLine, fault.endColumn]).toEqual(end);
    expect(fault.expected.slice(0, expected.length)).toEqual(expected);
    expect(fault.expected.length > 0).toBe(expected.length > 0);
  }
});

test.each([
  ['event.wrod == "tea"', '1:1', 'event.wrod', /There is no event\.wrod\. Known names: event\.word/],
  ['event.word ==\n  event.wrod', '2:3', 'event.wrod', /There is no event\.wrod/],
  ['event.word == 3', '1:12', '==', /Found == of \(STRING, NUMBER\)\. It takes \(STRING, STRING\), \(NUMBER, NUMBER\)/],
  ['event.word && true', '1:1', 'event.word', /Found a STRING, but && needs a BOOLEAN/],
  ['event.isNew ? 1 : "x"', '1:19', '"x"', /Found a STRING after :, but a NUMBER before it/],
  ['event.size', '1:1', 'event.size', /The expression is a NUMBER, but must be a BOOLEAN/],
  ['event.word in [1]', '1:16', '1', /literals of the type of the value before it, here STRING/],
  ['event.word in []', '1:15', '[', /must not be empty/],
  ['event.word.matches("a+")', '1:12', 'matches', /Regular expressions are not supported/],
  ['event.tags[0] == "x"', '1:11', '[', /use exists or all/],
  ['event.tags.map(t, t) == "x"', '1:12', 'map', /exists and all are supported/],
  ['event.word == null', '1:15', 'null', /use has/],
  ['event.size % 2 == 0', '1:12', '%', /% is not supported/],
  ['event.size == 2u', '1:15', '2u', /Write numbers without u/],
  [
    'event.at == timestamp("2026-02-30T00:00:00Z")',
    '1:23',
    '"2026-02-30T00:00:00Z"',
    /takes a text with date, time and zone, such as/,
  ],
  ['event.at - event.at > duration("30d")', '1:32', '"30d"', /Its units are h, m, s and ms; a day is 24h/],
  ['event.word == "tea', '1:15', '"tea', /has no quotation mark at its end: add "/],
  ['event.word == "tea" && event.word != \'\n  && true', '1:38', "'", /has no quotation mark at its end: add '/],
  ['event.word == """tea\n', '1:15', '"""tea\n', /has no quotation mark at its end: add """/],
  ['has(event)', '1:5', 'event', /The function has takes the name of an attribute: has\(event\.word\)/],
  ['event["word"] == "tea"', '1:1', 'event["word"]', /behind a dot: write event\.word/],
  [
    'event.size > 123456789012345678901234567890123456789',
    '1:14',
    '123456789012345678901234567890123456789',
    /at most 38 digits/,
  ],
  [
    'event.size > 0.123456789012345678901234567890123456789',
    '1:14',
    '0.123456789012345678901234567890123456789',
    /at most 38 digits/,
  ],
  ['length(event.word) > 3', '1:1', 'length', /There is no function length\. Known functions: .*size/],
  ['event.word.size.x == 1', '1:1', 'event.word.size.x', /There is no event\.word\.size\.x/],
  ['event.isNew &&', '1:15', '', /ends where a value is expected/],
  ['event.isNew event.isNew', '1:13', 'event', /Found event, which does not fit here/],
  ['', '1:1', '', /must not be empty/],
  ['"\\u0000" == event.word', '1:1', '"\\u0000"', /without NUL/],
  ['event.tags.exists(a, event.tags.exists(b, a == b))', '1:33', 'exists', /exists cannot stand inside/],
])('the mistake in %j is marked, and the message says what would fit', (text, at, found, says) => {
  expect(mistake(text)).toEqual({ at, found, says: expect.stringMatching(says) });
});

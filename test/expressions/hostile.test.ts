import { expect, test } from 'vitest';
import { compileExpression } from '../../src/expressions/compile.ts';
import { ExpressionError } from '../../src/expressions/expression-error.ts';
import { tokensOf } from '../../src/expressions/tokens.ts';
import { environment } from './random-expressions.ts';

const nested = (depth: number): string => (depth === 0 ? 'true' : `event.tags.exists(t${depth}, ${nested(depth - 1)})`);

const hostile: Readonly<Record<string, string>> = {
  '1,000 parentheses': '('.repeat(1_000) + 'true' + ')'.repeat(1_000),
  '1,000 parentheses that are never closed': '('.repeat(1_000),
  '1,000 brackets': '['.repeat(1_000),
  '5,000 &&': Array(5_001).fill('true').join(' && '),
  '1,000 signs': '-'.repeat(1_000) + '1',
  '1,000 negations': '!'.repeat(1_000) + 'true',
  '500 conditionals': 'true ? '.repeat(500),
  'comprehensions in comprehensions': nested(22),
  'a text of 8 KiB': `event.word == "${'a'.repeat(8_192)}"`,
  '8 KiB of backslashes': `event.word == "${'\\'.repeat(8_192)}"`,
};

test.each(Object.entries(hostile))('%s are refused before they are parsed, within milliseconds', (_, text) => {
  const before = performance.now();
  expect(() => tokensOf(text)).toThrow(ExpressionError);
  expect(performance.now() - before).toBeLessThan(100);
});

const large: Readonly<Record<string, string>> = {
  '20 parentheses': '('.repeat(20) + 'true' + ')'.repeat(20),
  '20 parentheses, unfinished': '('.repeat(20),
  '19 brackets in calls': 'size('.repeat(19),
  '100 operands': Array(100).fill('event.isNew').join(' && ').slice(0, 600),
  '190 signs': '-'.repeat(190) + '1',
  '66 conditionals': 'true ? true : '.repeat(49) + 'true',
  '1,000 quotes': '"'.repeat(1_000),
  'comparisons in a row': Array(60).fill('1').join(' < '),
};

test.each(Object.entries(large))('%s are answered within 50 ms', (_, text) => {
  const before = performance.now();
  try {
    compileExpression(text, environment, 'BOOLEAN');
  } catch (error) {
    expect(error).toBeInstanceOf(ExpressionError);
  }
  expect(performance.now() - before).toBeLessThan(50);
});

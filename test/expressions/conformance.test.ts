import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { expect, test } from 'vitest';
import { compileExpression, type Expression } from '../../src/expressions/compile.ts';
import { decimalText } from '../../src/expressions/decimal.ts';
import { ExpressionError } from '../../src/expressions/expression-error.ts';
import type { Environment } from '../../src/expressions/expression-type.ts';

/** The declared difference to CEL: one type of number, exact and decimal, with 38 digits. So these cases do not apply. */
const OTHER_ARITHMETIC: ReadonlySet<string> = new Set([
  'comparisons/eq_literal/not_eq_double_nan',
  'comparisons/ne_literal/not_ne_double_nan',
  'comparisons/ne_literal/ne_double_nan',
  'fp_math/fp_math/divide_zero',
  'integer_math/int64_math/int64_overflow_positive',
  'integer_math/int64_math/int64_overflow_negative',
  'integer_math/int64_math/int64_overflow_add_negative',
  'integer_math/int64_math/int64_overflow_sub_positive',
  'integer_math/int64_math/int64_min_negate',
  'integer_math/int64_math/int64_min_negate_mul',
  'integer_math/int64_math/int64_min_negate_div',
  'integer_math/int64_math/int64_overflow_mul_positive',
  'integer_math/int64_math/int64_overflow_mul_negative',
]);

const noNames: Environment<undefined> = { variables: new Map(), timeZone: { read: () => 'UTC' } };

type Suite = typeof tests;
type Case = { readonly name: string; readonly expr: string; readonly expected: string };

/** The cases of a suite that state a value or an error, by `suite/section/name`. */
function casesOf({ name, suites = [], tests: own = [] }: Suite, path: readonly string[] = []): Case[] {
  const here = [...path, name];
  return [
    ...suites.flatMap((each) => casesOf(each, here)),
    ...own.flatMap(({ original }): Case[] => {
      const {
        value,
        evalError,
        name: caseName = '',
        expr,
      } = original as {
        readonly value?: Readonly<Record<string, unknown>>;
        readonly evalError?: unknown;
        readonly name?: string;
        readonly expr: string;
      };
      const [[kind, stated] = []] = [Object.entries(value ?? {})[0]];
      const id = [...here.slice(1), caseName].join('/');
      if (evalError !== undefined) return [{ name: id, expr, expected: 'error' }];
      if (kind === undefined) return [];
      return [{ name: id, expr, expected: kind === 'doubleValue' ? String(Number(stated)) : String(stated) }];
    }),
  ];
}

/** The compiled expression, or the sentence that refuses it. */
function compiled(expr: string): Expression<undefined> | string {
  let refusal = '';
  for (const type of ['BOOLEAN', 'NUMBER', 'STRING', 'TIMESTAMP', 'DURATION'] as const) {
    try {
      return compileExpression(expr, noNames, type);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      refusal = error.message;
    }
  }
  return refusal;
}

function answerOf({ run }: Expression<undefined>): string {
  const value = run(undefined);
  if (value === undefined) return 'error';
  return typeof value === 'object' && 'coefficient' in value ? decimalText(value) : String(value);
}

test('every case of the CEL specification that lies in the subset holds, and the others are refused in words', () => {
  const all = casesOf(tests);
  const outcomes = all.map((each) => ({ ...each, result: compiled(each.expr) }));
  const accepted = outcomes.filter(({ result, name }) => typeof result !== 'string' && !OTHER_ARITHMETIC.has(name));
  const differing = accepted.filter(({ result, expected }) => answerOf(result as Expression<undefined>) !== expected);
  const refusals = outcomes.flatMap(({ result }) => (typeof result === 'string' ? [result] : []));

  expect(
    differing.map(({ name, expr, expected, result }) => ({ name, expr, expected, answer: answerOf(result as never) })),
  ).toEqual([]);
  expect(accepted.length).toBeGreaterThan(350);
  expect(refusals.filter((words) => !/^[A-Z].*[.?]$/s.test(words))).toEqual([]);
});

test('the cases that other arithmetic excludes are all still in the specification', () => {
  const names = new Set(casesOf(tests).map(({ name }) => name));
  expect([...OTHER_ARITHMETIC].filter((name) => !names.has(name))).toEqual([]);
});

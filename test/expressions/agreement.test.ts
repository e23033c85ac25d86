import { celEnv, isCelError, parse, plan } from '@bufbuild/cel';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileExpression, type Expression } from '../../src/expressions/compile.ts';
import { decimalText } from '../../src/expressions/decimal.ts';
import { ExpressionError } from '../../src/expressions/expression-error.ts';
import type { Value } from '../../src/expressions/expression-type.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { environment, expressions, type Sample, samples } from './random-expressions.ts';

/** A fixed seed, so that a failure repeats on every machine. */
const seed = Number(process.env['LAUREL_PROPERTY_SEED'] ?? 1);
const RUNS = 10_000;

/** Expressions of one statement: each costs a plan, and a statement costs a round trip. */
const TOGETHER = 50;

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

type Case = { readonly sample: Sample; readonly expression: Expression<Sample> };

/** Random expressions that are accepted, each with a random event. */
function cases(isWhole: boolean): readonly Case[] {
  const drawn = fc.sample(fc.tuple(samples(isWhole), expressions(isWhole)), { numRuns: RUNS * 2, seed });
  const accepted = drawn.flatMap(([sample, { text, type }]): Case[] => {
    try {
      return [{ sample, expression: compileExpression(text, environment, type) }];
    } catch (error) {
      // Random expressions may be too large or too deep, but have no other mistake.
      if (error instanceof ExpressionError && /^An expression (?:has|nests) at most/.test(error.message)) return [];
      throw error;
    }
  });
  expect(accepted.length).toBeGreaterThanOrEqual(RUNS);
  return accepted.slice(0, RUNS);
}

/** The text of a value; null if it is missing. */
function inWords(value: Value | undefined): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'object') return String(value);
  return 'coefficient' in value ? decimalText(value) : value.join();
}

test(
  '10,000 random expressions over random events mean the same as a function and in SQL',
  { timeout: 300_000 },
  async () => {
    const all = cases(false);
    const types = new Set<unknown>();
    for (let first = 0; first < all.length; first += TOGETHER) {
      const part = all.slice(first, first + TOGETHER);
      const values: unknown[] = [];
      const next = (value: unknown) => `$${values.push(value ?? null)}`;
      const rows = part.map(({ expression, sample }) => {
        const { word, other, size, rate, isNew, at, tags, timeZone } = sample;
        const result = expression.type === 'NUMBER' ? `trim_scale(${expression.sql})` : expression.sql;
        return `(select (${result})::text from (select ${next(word)}::text as word, ${next(other)}::text as other,
        ${next(size)}::numeric as size, ${next(rate)}::numeric as rate, ${next(isNew)}::boolean as "isNew",
        ${next(at)}::numeric as at, ${next(tags)}::text[] as tags, ${next(timeZone)}::text as "timeZone" offset 0) as s)`;
      });
      const { rows: answers } = await client.query<{ value: string | null }>(
        `select value from unnest(array[${rows.join(', ')}]) with ordinality as answer(value, n) order by n`,
        values,
      );
      for (const [index, { expression, sample }] of part.entries()) {
        const value = inWords(expression.run(sample));
        types.add(value === null ? null : expression.type);
        expect({ text: expression.text, sample, value: answers[index]?.value }).toEqual({
          text: expression.text,
          sample,
          value,
        });
      }
    }
    // No kind of result was left out.
    expect(types).toEqual(new Set(['BOOLEAN', 'NUMBER', null]));
  },
);

test('10,000 random expressions over whole numbers mean what CEL says', { timeout: 300_000 }, () => {
  const env = celEnv();
  let present = 0;
  for (const { expression, sample } of cases(true)) {
    const { size, rate, at, timeZone: _, ...same } = sample;
    const event = Object.fromEntries(
      Object.entries({
        ...same,
        size: size === undefined ? undefined : BigInt(size),
        rate: rate === undefined ? undefined : BigInt(rate),
        at: at === undefined ? undefined : timestampFromMs(at),
      }).filter(([, value]) => value !== undefined),
    );
    const answer = plan(env, parse(expression.text))({ event } as never);
    const value = expression.run(sample);
    // CEL's whole numbers have 64 bits, ours 38 digits.
    if (isCelError(answer) && /overflow/i.test(answer.message)) continue;
    present += value === undefined ? 0 : 1;
    expect({
      text: expression.text,
      sample,
      value: isCelError(answer) ? null : String(answer as bigint | boolean),
    }).toEqual({
      text: expression.text,
      sample,
      value: inWords(value),
    });
  }
  expect(present).toBeGreaterThan(RUNS / 3);
});

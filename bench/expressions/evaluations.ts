import { NO_LEVELS } from '../../src/engine/levels/account-levels.ts';
import { NO_VALUES } from '../../src/engine/statistics/statistic-values.ts';
import fc from 'fast-check';
import type { AttributeDefinition } from '../../src/attributes/attribute-definition.ts';
import { declarationOf, type EventContext } from '../../src/engine/missions/event-expression.ts';
import { calendarOfZone } from '../../src/engine/time/calendar.ts';
import { compileExpression, type Expression } from '../../src/expressions/compile.ts';
import { ExpressionError } from '../../src/expressions/expression-error.ts';
import { amountFromNumber } from '../../src/kernel/amount.ts';
import { environment, expressions, type Sample, samples } from '../../test/expressions/random-expressions.ts';
import type { Result, Settings } from '../benchmark.ts';
import { whole } from '../report.ts';
import { median, quantile } from '../support/statistics.ts';

/** An expression as an operator writes it. */
export const TYPICAL = 'event.amount > 20.0 && event.category in ["tea","coffee"] && account.tier == "GOLD"';

/** The microseconds that are wanted for it, and for any expression that is accepted. */
export const TYPICAL_AIM = 0.5;
export const SLOWEST_AIM = 20;

const RANDOM = 100_000;

/** Random expressions that are drawn together: their texts need memory. */
const DRAWN = 10_000;

/** Evaluations of a random expression between two looks at the clock, so that the clock does not count. */
const REPEATS = 20;

/** Measurements of a random expression, of which the fastest counts: the others were disturbed. */
const TRIES = 7;

/** Evaluations of the typical expression between two looks at the clock. */
const TYPICAL_REPEATS = 100_000;

/** Both evaluations. The typical one comes last, in a process that has compiled many others, as a service has. */
export async function measureEvaluations({ rounds }: Settings): Promise<Record<'evaluation' | 'slowest', Result>> {
  const fresh = typicalMicros(rounds);
  const { times, slowest } = randomMicros();
  const typical = typicalMicros(rounds);
  return {
    evaluation: {
      unit: 'µs',
      ours: median(typical),
      reference: TYPICAL_AIM,
      details: { 'each measurement': inMicros(typical), 'the same before any other expression': inMicros(fresh) },
    },
    slowest: {
      unit: 'µs',
      ours: times.at(-1)!,
      reference: SLOWEST_AIM,
      details: {
        expressions: `${whole(times.length)}, the fastest of ${TRIES} measurements of each`,
        p50: inMicros([quantile(times, 0.5)]),
        p99: inMicros([quantile(times, 0.99)]),
        slowest: `a ${slowest.type} of ${slowest.cost} steps`,
      },
    },
  };
}

function inMicros(values: readonly number[]): string {
  return `${values.map((value) => value.toFixed(2)).join(', ')} µs`;
}

/** Microseconds of one evaluation of the typical expression, in each of some rounds, over events for which it holds or not. */
function typicalMicros(rounds: number): number[] {
  const { run } = typicalExpression();
  const contexts = typicalContexts();
  const expected = contexts.filter((context) => run(context) === true).length;
  const round = () => {
    let held = 0;
    const begun = performance.now();
    for (let index = 0; index < TYPICAL_REPEATS; index += 1) {
      if (run(contexts[index % contexts.length]!) === true) held += 1;
    }
    const micros = ((performance.now() - begun) * 1_000) / TYPICAL_REPEATS;
    if (held !== (expected * TYPICAL_REPEATS) / contexts.length) throw new Error('An evaluation had another value.');
    return micros;
  };
  round();
  return Array.from({ length: rounds }, round);
}

function typicalExpression(): Expression<EventContext> {
  const declared = (name: string): AttributeDefinition[] => [{ name, type: 'STRING' }];
  return compileExpression(
    TYPICAL,
    declarationOf('AMOUNT', declared('category'), declared('tier')).environment,
    'BOOLEAN',
  );
}

/** Events of accounts: seven in ten have a large amount, three in four a category of the expression, and half the tier. */
function typicalContexts(): EventContext[] {
  const now = Date.parse('2026-11-25T12:00:00Z');
  const categories = ['tea', 'coffee', 'tea', 'cocoa'];
  return Array.from({ length: 1_000 }, (_, index) => ({
    event: {
      programmaticCode: 'ORDER',
      amount: amountFromNumber(index % 10 < 7 ? 25 : 5, 'amount'),
      attributes: new Map([['category', categories[index % 4]!]]),
      occurredAt: now,
      acceptedAt: now,
    },
    account: {
      audienceNames: [],
      statistics: NO_VALUES,
      levels: NO_LEVELS,
      createdAt: 0,
      attributes: new Map([['tier', index % 3 === 0 ? 'SILVER' : 'GOLD']]),
      calendar: calendarOfZone('UTC'),
    },
  }));
}

/** Microseconds of one evaluation of each random expression, ascending, and the slowest of them. */
function randomMicros(): { times: number[]; slowest: Expression<Sample> } {
  const times: number[] = [];
  let slowest: { readonly expression: Expression<Sample>; readonly micros: number } | undefined;
  // The first ones are measured again, when the code is hot.
  for (const { expression, sample } of drawn(0)) microsOf(expression, sample);
  for (let seed = 0; times.length < RANDOM; seed += 1) {
    for (const { expression, sample } of drawn(seed).slice(0, RANDOM - times.length)) {
      const micros = microsOf(expression, sample);
      times.push(micros);
      if (micros > (slowest?.micros ?? 0)) slowest = { expression, micros };
    }
  }
  return { times: times.toSorted((a, b) => a - b), slowest: slowest!.expression };
}

function microsOf({ run }: Expression<Sample>, sample: Sample): number {
  let fastest = Infinity;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const begun = performance.now();
    for (let index = 0; index < REPEATS; index += 1) run(sample);
    fastest = Math.min(fastest, ((performance.now() - begun) * 1_000) / REPEATS);
  }
  return fastest;
}

type Case = { readonly expression: Expression<Sample>; readonly sample: Sample };

/** Random expressions that are accepted, each with a random event. */
function drawn(seed: number): Case[] {
  return fc
    .sample(fc.tuple(samples(false), expressions(false)), { numRuns: DRAWN, seed })
    .flatMap(([sample, { text, type }]) => {
      try {
        return [{ sample, expression: compileExpression(text, environment, type) }];
      } catch (error) {
        if (error instanceof ExpressionError) return [];
        throw error;
      }
    });
}

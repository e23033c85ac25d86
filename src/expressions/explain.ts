import { joined, sentence, type Sentence } from '../kernel/sentence.ts';
import type { Expression, Term } from './compile.ts';
import { decimalText } from './decimal.ts';
import type { Environment, ExpressionType, Value, ValueOf } from './expression-type.ts';
import type { Syntax } from './syntax.ts';
import { MINUTE } from '../kernel/time/timestamp.ts';
import { zoneOffset } from '../kernel/time/time-zone.ts';

/** The texts of values, as they stand in an expression; moments by the clock of the account's zone. */
const texts: { readonly [Type in ExpressionType]: (value: ValueOf[Type], timeZone: string) => string } = {
  STRING: (value) => JSON.stringify(value),
  NUMBER: decimalText,
  BOOLEAN: String,
  TIMESTAMP: localMoment,
  DURATION: (value) => `${value / 1_000} s`,
  STRING_LIST: (value) => JSON.stringify(value),
};

/** The sentence for each comparison that does not hold. Each is a whole sentence, because languages order their words differently. */
const needed: Readonly<Record<string, (name: string, value: string, literal: string) => Sentence>> = {
  in: (name, value, literal) => sentence`${name} is ${value}, needed one of ${literal}`,
  '==': (name, value, literal) => sentence`${name} is ${value}, needed ${literal}`,
  '!=': (name, value, literal) => sentence`${name} is ${value}, needed not ${literal}`,
  '<': (name, value, literal) => sentence`${name} is ${value}, needed less than ${literal}`,
  '<=': (name, value, literal) => sentence`${name} is ${value}, needed at most ${literal}`,
  '>': (name, value, literal) => sentence`${name} is ${value}, needed more than ${literal}`,
  '>=': (name, value, literal) => sentence`${name} is ${value}, needed at least ${literal}`,
};

/**
 * Why an expression of type BOOLEAN does not hold: the first part of its `&&` that is not true, with the values on which it depends, for
 * example `event.category is "tea", needed one of "coffee"`. Undefined if it holds.
 * @param masked the names whose values must not be shown
 */
export function explanationOf<Context>(
  expression: Expression<Context>,
  environment: Environment<Context>,
  context: Context,
  masked: ReadonlySet<string>,
): Sentence | undefined {
  const part = firstUnmet(expression, context);
  if (part === undefined) return undefined;
  const timeZone = environment.timeZone.read(context);
  const names = namesIn(part.syntax).filter((name) => environment.variables.has(name));
  const valueOf = (name: string) => valueText(name, environment, context, masked, timeZone);
  const isAsked = part.syntax.kind === 'has';
  const missing = isAsked ? undefined : names.find((name) => valueOf(name) === undefined);
  if (missing !== undefined && part.run(context) === undefined) return sentence`${missing} is missing`;
  const [name] = names;
  const needs = neededBy(part, timeZone);
  if (needs !== undefined && name !== undefined) return needs(name, valueOf(name)!);
  const values = names.map((each) => sentence`${each} is ${valueOf(each) ?? 'missing'}`);
  return values.length === 0 ? sentence`The expression never holds` : sentence`It does not hold: ${values}`;
}

/**
 * The values on which an expression depends, for example `event.amount is 10, event.items is missing`. Undefined if it has no names.
 * @param masked the names whose values must not be shown
 */
export function valuesOf<Context>(
  { syntax }: Expression<Context>,
  environment: Environment<Context>,
  context: Context,
  masked: ReadonlySet<string>,
): Sentence | undefined {
  const names = namesIn(syntax).filter((name) => environment.variables.has(name));
  if (names.length === 0) return undefined;
  const timeZone = environment.timeZone.read(context);
  const values = names.map((name) => {
    const value = valueText(name, environment, context, masked, timeZone);
    return value === undefined ? sentence`${name} is missing` : sentence`${name} is ${value}`;
  });
  return joined(values, ', ');
}

/** The value of a name, as it stands in an expression; undefined if it is missing. */
function valueText<Context>(
  name: string,
  environment: Environment<Context>,
  context: Context,
  masked: ReadonlySet<string>,
  timeZone: string,
): string | undefined {
  const { type, read } = environment.variables.get(name)!;
  const value = read(context);
  if (value === undefined) return undefined;
  return masked.has(name) ? '***' : textOf(type, value, timeZone);
}

function firstUnmet<Context>(term: Term<Context>, context: Context): Term<Context> | undefined {
  if (term.syntax.kind !== 'call' || term.syntax.name !== '&&') {
    return term.run(context) === true ? undefined : term;
  }
  for (const part of term.parts) {
    const unmet = firstUnmet(part, context);
    if (unmet !== undefined) return unmet;
  }
  return undefined;
}

/** The sentence about the values that a comparison of a name with literals needs; undefined for other parts. */
function neededBy<Context>(
  { syntax, parts }: Term<Context>,
  timeZone: string,
): ((name: string, value: string) => Sentence) | undefined {
  if (syntax.kind !== 'call' || syntax.args[0]?.kind !== 'name') return undefined;
  const [, right] = syntax.args;
  const literal =
    right?.kind === 'list'
      ? right.elements.map((element) => literalText(element) ?? '').join(', ')
      : right && (literalText(right) ?? timeText(parts[1], timeZone));
  const words = needed[syntax.name];
  return words && literal !== undefined ? (name, value) => words(name, value, literal) : undefined;
}

function literalText(syntax: Syntax): string | undefined {
  if (syntax.kind === 'string') return JSON.stringify(syntax.value);
  if (syntax.kind === 'number') return decimalText(syntax.value);
  return syntax.kind === 'boolean' ? String(syntax.value) : undefined;
}

/** The text of `timestamp("...")` or `duration("...")`, whose value depends on nothing. */
function timeText<Context>(part: Term<Context> | undefined, timeZone: string): string | undefined {
  if (part?.syntax.kind !== 'call' || !['timestamp', 'duration'].includes(part.syntax.name)) return undefined;
  const value = part.run(undefined as never);
  return value === undefined ? undefined : textOf(part.type, value, timeZone);
}

function textOf(type: ExpressionType, value: Value, timeZone: string): string {
  return (texts[type] as (of: Value, timeZone: string) => string)(value, timeZone);
}

/** A moment in RFC 3339 with the offset of a zone, without milliseconds if they are zero: `2026-11-28T22:00:00-05:00`. */
function localMoment(instant: number, timeZone: string): string {
  const minutes = Math.round(zoneOffset(timeZone, instant) / MINUTE);
  const clock = new Date(instant + minutes * MINUTE)
    .toISOString()
    .slice(0, -1)
    .replace(/\.000$/, '');
  const size = Math.abs(minutes);
  const digits = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `${clock}${minutes < 0 ? '-' : '+'}${digits.join(':')}`;
}

/** The names in a part, in the order of the text. */
function namesIn(syntax: Syntax): string[] {
  switch (syntax.kind) {
    case 'name':
    case 'has':
      return [syntax.name];
    case 'list':
      return syntax.elements.flatMap(namesIn);
    case 'call':
      return [...new Set(syntax.args.flatMap(namesIn))];
    case 'quantifier':
      return [...new Set([...namesIn(syntax.list), ...namesIn(syntax.test)])];
    default:
      return [];
  }
}

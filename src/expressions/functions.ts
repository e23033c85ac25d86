import { DAY, MINUTE } from '../kernel/time/timestamp.ts';
import { zoneOffset } from '../kernel/time/time-zone.ts';
import {
  compareDecimals,
  type Decimal,
  DIGITS_MAX,
  dividedBy,
  floor,
  minus,
  negated,
  plus,
  QUOTIENT_SCALE,
  times,
} from './decimal.ts';
import type { ExpressionType, Value, ValueOf } from './expression-type.ts';

/**
 * One meaning of a function or operator: the types that it takes, the type that it answers, its value and its SQL. Both are strict: a
 * missing argument makes the result missing. Undefined and NULL are results that do not exist, such as a division by zero.
 */
export type Overload = {
  readonly takes: readonly ExpressionType[];
  readonly gives: ExpressionType;
  /** @param timeZone the zone of the account, an IANA name; read only if {@link usesTimeZone} */
  readonly run: (args: readonly Value[], timeZone: string) => Value | undefined;
  readonly sql: (args: readonly string[], timeZone: string) => string;
  /** For functions of one argument only: see `strict` in `compile.ts`. */
  readonly usesTimeZone?: boolean;
};

function overload<const Takes extends readonly ExpressionType[], Gives extends ExpressionType>(
  takes: Takes,
  gives: Gives,
  run: (
    args: { readonly [Index in keyof Takes]: ValueOf[Takes[Index]] },
    timeZone: string,
  ) => ValueOf[Gives] | undefined,
  sql: Overload['sql'],
): Overload {
  return { takes, gives, run: run as unknown as Overload['run'], sql };
}

/** The order of two values of one type: negative, zero or positive. Types without an order have none. */
export const orders: { readonly [Type in ExpressionType]?: (a: ValueOf[Type], b: ValueOf[Type]) => number } = {
  STRING: compareByCodePoints,
  NUMBER: compareDecimals,
  BOOLEAN: (a, b) => Number(a) - Number(b),
  TIMESTAMP: (a, b) => a - b,
  DURATION: (a, b) => a - b,
};

/** Strings by their code points, as PostgreSQL's collation "C" does; `<` would order by UTF-16 code units. */
function compareByCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    // The halves of a pair are above every other unit, but U+E000 to U+FFFF come before what a pair means.
    if (left !== right) return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdf_ff;
}

function comparison(symbol: string, holds: (order: number) => boolean): Overload[] {
  return Object.entries(orders).map(([type, order]) => {
    const compare = order as (a: Value, b: Value) => number;
    const takes = [type as ExpressionType, type as ExpressionType];
    const collation = type === 'STRING' ? ' collate "C"' : '';
    return overload(
      takes,
      'BOOLEAN',
      (args) => holds(compare(args[0]!, args[1]!)),
      ([a, b]) => `(${a}${collation} ${symbol} ${b})`,
    );
  });
}

/** SQL of a decimal that may have more digits than a result may have: NULL then. `offset 0` lets PostgreSQL compute it once. */
function boundedSql(sql: string): string {
  return `(select n from (select trim_scale(${sql}) as n offset 0) as result where abs(n) < power(10::numeric, ${DIGITS_MAX} - scale(n)))`;
}

function arithmetic(symbol: string, run: (a: Decimal, b: Decimal) => Decimal | undefined): Overload {
  return overload(
    ['NUMBER', 'NUMBER'],
    'NUMBER',
    ([a, b]) => run(a, b),
    ([a, b]) => boundedSql(`${a} ${symbol} ${b}`),
  );
}

/** PostgreSQL's own quotient has as many decimals as it likes, so the quotient is a whole number of the last decimal. */
const division = overload(
  ['NUMBER', 'NUMBER'],
  'NUMBER',
  ([a, b]) => dividedBy(a, b),
  ([a, b]) =>
    boundedSql(
      `(select sign(x) * sign(y) * div(2e${QUOTIENT_SCALE} * abs(x) + abs(y), 2 * abs(y)) * 1e-${QUOTIENT_SCALE} ` +
        `from (select ${a} as x, ${b} as y offset 0) as operands where y <> 0)`,
    ),
);

/** The first and last instant that CEL knows: the years 1 to 9999. */
const INSTANT_MIN = Date.parse('0001-01-01T00:00:00Z');
const INSTANT_MAX = Date.parse('9999-12-31T23:59:59.999Z');

/** The longest duration of CEL, in either direction: 2^63 nanoseconds, some 292 years. */
const DURATION_MAX = 9_223_372_036_854;

const bounds = {
  TIMESTAMP: [INSTANT_MIN, INSTANT_MAX],
  DURATION: [-DURATION_MAX, DURATION_MAX],
} as const;

/** Whether an instant or a duration, in milliseconds, is one that CEL knows. */
export function isInBounds(type: keyof typeof bounds, ms: number): boolean {
  const [least, most] = bounds[type];
  return ms >= least && ms <= most;
}

function timeArithmetic(
  takes: readonly [ExpressionType, ExpressionType],
  symbol: '+' | '-',
  gives: keyof typeof bounds,
): Overload {
  const [least, most] = bounds[gives];
  return {
    takes,
    gives,
    run([a, b]) {
      const ms = symbol === '+' ? (a as number) + (b as number) : (a as number) - (b as number);
      return isInBounds(gives, ms) ? ms : undefined;
    },
    sql: ([a, b]) =>
      `(select ms from (select ${a} ${symbol} ${b} as ms offset 0) as result where ms between ${least} and ${most})`,
  };
}

function wholeNumber(value: number): Decimal {
  return { coefficient: BigInt(value), scale: 0 };
}

/** A function of the local date and time. */
function calendarPart(run: (local: Date) => number, sql: (local: string) => string): Overload {
  return {
    ...overload(
      ['TIMESTAMP'],
      'NUMBER',
      ([instant], timeZone) => wholeNumber(run(new Date(instant + zoneOffset(timeZone, instant)))),
      ([instant], timeZone) => sql(`(to_timestamp(${instant} / 1000) at time zone ${timeZone})`),
    ),
    usesTimeZone: true,
  };
}

/** All of a duration in a unit, without the rest. */
function durationPart(unitMs: number): Overload {
  return overload(
    ['DURATION'],
    'NUMBER',
    ([duration]) => wholeNumber(Math.trunc(duration / unitMs) + 0),
    ([duration]) => `trunc(${duration} / ${unitMs})`,
  );
}

const SECOND = 1_000;
const HOUR = 60 * MINUTE;

function extract(part: string, adjustment = ''): (local: string) => string {
  return (local) => `(extract(${part} from ${local})::numeric${adjustment})`;
}

function dayOfYear(local: Date): number {
  const newYear = new Date(local);
  newYear.setUTCMonth(0, 1);
  newYear.setUTCHours(0, 0, 0, 0);
  return Math.floor((local.getTime() - newYear.getTime()) / DAY);
}

/** The code points of a text. Its iterator needs three times as long. */
function codePoints(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    // A pair is a high half and a low one, so a low half belongs to at most one pair.
    if (isLowHalf(text.charCodeAt(index)) && isHighHalf(text.charCodeAt(index - 1))) count -= 1;
  }
  return count;
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc_00 && unit <= 0xdf_ff;
}

/** The smaller or larger of two numbers. SQL's functions of these names would leave out what is missing. */
function extreme(name: 'least' | 'greatest', isBetter: (order: number) => boolean): Overload {
  return overload(
    ['NUMBER', 'NUMBER'],
    'NUMBER',
    ([a, b]) => (isBetter(compareDecimals(a, b)) ? a : b),
    ([a, b]) =>
      `(select ${name}(x, y) from (select ${a} as x, ${b} as y offset 0) as operands where x is not null and y is not null)`,
  );
}

function stringTest(
  run: (text: string, part: string) => boolean,
  sql: (text: string, part: string) => string,
): Overload {
  return overload(
    ['STRING', 'STRING'],
    'BOOLEAN',
    ([text, part]) => run(text, part),
    ([text = '', part = '']) => sql(text, part),
  );
}

/**
 * The strict functions and operators of the language, by their names in the syntax tree. The compiler knows the others: `&&`, `||`, `?:`,
 * `in`, `has`, `exists`, `all`, and the literals `timestamp("...")` and `duration("...")`.
 */
export const functions: Readonly<Record<string, readonly Overload[]>> = {
  '==': comparison('=', (order) => order === 0),
  '!=': comparison('<>', (order) => order !== 0),
  '<': comparison('<', (order) => order < 0),
  '<=': comparison('<=', (order) => order <= 0),
  '>': comparison('>', (order) => order > 0),
  '>=': comparison('>=', (order) => order >= 0),
  '!': [
    overload(
      ['BOOLEAN'],
      'BOOLEAN',
      ([value]) => !value,
      ([value]) => `(not ${value})`,
    ),
  ],
  '+': [
    arithmetic('+', plus),
    timeArithmetic(['TIMESTAMP', 'DURATION'], '+', 'TIMESTAMP'),
    timeArithmetic(['DURATION', 'TIMESTAMP'], '+', 'TIMESTAMP'),
    timeArithmetic(['DURATION', 'DURATION'], '+', 'DURATION'),
  ],
  '-': [
    arithmetic('-', minus),
    timeArithmetic(['TIMESTAMP', 'TIMESTAMP'], '-', 'DURATION'),
    timeArithmetic(['TIMESTAMP', 'DURATION'], '-', 'TIMESTAMP'),
    timeArithmetic(['DURATION', 'DURATION'], '-', 'DURATION'),
  ],
  '*': [arithmetic('*', times)],
  '/': [division],
  '-x': [
    overload(
      ['NUMBER'],
      'NUMBER',
      ([value]) => negated(value),
      ([value]) => `(- ${value})`,
    ),
    overload(
      ['DURATION'],
      'DURATION',
      ([value]) => 0 - value,
      ([value]) => `(- ${value})`,
    ),
  ],
  'math.least': [extreme('least', (order) => order <= 0)],
  'math.greatest': [extreme('greatest', (order) => order >= 0)],
  'math.floor': [
    overload(
      ['NUMBER'],
      'NUMBER',
      ([value]) => floor(value),
      ([value]) => `floor(${value})`,
    ),
  ],
  'math.ceil': [
    overload(
      ['NUMBER'],
      'NUMBER',
      ([value]) => negated(floor(negated(value))),
      ([value]) => `ceil(${value})`,
    ),
  ],
  startsWith: [
    stringTest(
      (text, part) => text.startsWith(part),
      (text, part) => `starts_with(${text}, ${part})`,
    ),
  ],
  endsWith: [
    stringTest(
      (text, part) => text.endsWith(part),
      (text, part) => `(right(${text}, char_length(${part})) = ${part})`,
    ),
  ],
  contains: [
    stringTest(
      (text, part) => text.includes(part),
      (text, part) => `(strpos(${text}, ${part}) > 0)`,
    ),
  ],
  size: [
    overload(
      ['STRING'],
      'NUMBER',
      ([text]) => wholeNumber(codePoints(text)),
      ([text]) => `char_length(${text})::numeric`,
    ),
    overload(
      ['STRING_LIST'],
      'NUMBER',
      ([list]) => wholeNumber(list.length),
      ([list]) => `cardinality(${list})::numeric`,
    ),
  ],
  getFullYear: [calendarPart((local) => local.getUTCFullYear(), extract('year'))],
  getMonth: [calendarPart((local) => local.getUTCMonth(), extract('month', ' - 1'))],
  getDate: [calendarPart((local) => local.getUTCDate(), extract('day'))],
  getDayOfMonth: [calendarPart((local) => local.getUTCDate() - 1, extract('day', ' - 1'))],
  getDayOfWeek: [calendarPart((local) => local.getUTCDay(), extract('dow'))],
  getDayOfYear: [calendarPart(dayOfYear, extract('doy', ' - 1'))],
  getHours: [calendarPart((local) => local.getUTCHours(), extract('hour')), durationPart(HOUR)],
  getMinutes: [calendarPart((local) => local.getUTCMinutes(), extract('minute')), durationPart(MINUTE)],
  getSeconds: [
    calendarPart(
      (local) => local.getUTCSeconds(),
      (local) => `trunc(extract(second from ${local})::numeric)`,
    ),
    durationPart(SECOND),
  ],
  getMilliseconds: [
    calendarPart(
      (local) => local.getUTCMilliseconds(),
      (local) => `mod(round(extract(milliseconds from ${local})::numeric), 1000)`,
    ),
    overload(
      ['DURATION'],
      'NUMBER',
      ([duration]) => wholeNumber((duration % SECOND) + 0),
      ([duration]) => `mod(${duration}, ${SECOND})`,
    ),
  ],
};

/** Functions of CEL's math extension that take one number or more. */
export const variadic: ReadonlySet<string> = new Set(['math.least', 'math.greatest']);

import fc from 'fast-check';
import type { Environment, ExpressionType, Value } from '../../src/expressions/expression-type.ts';
import { decimalOfNumber } from '../../src/expressions/decimal.ts';

/** The values of one random event. An absent one is missing. */
export type Sample = {
  readonly word?: string | undefined;
  readonly other?: string | undefined;
  readonly size?: number | undefined;
  readonly rate?: number | undefined;
  readonly isNew?: boolean | undefined;
  readonly at?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly timeZone: string;
};

/** CEL orders texts by UTF-16 code units, ours by code points: only this word tells the difference. */
const ABOVE_SURROGATES = '\uFFFD';

const WORDS = ['', 'tea', 'coffee', 'teapot', 'Ñandú', '😀', ABOVE_SURROGATES, "it's", 'a"b', '\\'];
const ZONES = ['UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia'];

/** Types of the attributes of a sample, by name. */
const attributes = {
  word: 'STRING',
  other: 'STRING',
  size: 'NUMBER',
  rate: 'NUMBER',
  isNew: 'BOOLEAN',
  at: 'TIMESTAMP',
  tags: 'STRING_LIST',
} as const satisfies Record<Exclude<keyof Sample, 'timeZone'>, ExpressionType>;

function maybe<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(values, { nil: undefined, freq: 5 });
}

const wholeNumbers = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -1_000_000, max: 1_000_000 }));
const decimals = fc.oneof(
  wholeNumbers,
  wholeNumbers.map((ten) => ten / 10_000),
  fc.constantFrom(1_000_000_000, -1_000_000_000),
);
const instants = fc.oneof(
  fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) }),
  fc.constantFrom(Date.UTC(2024, 1, 29, 23, 59, 59, 999), Date.UTC(2026, 2, 29, 1), Date.UTC(2011, 11, 30, 10)),
);

function wordsFor(isWhole: boolean): readonly string[] {
  return isWhole ? WORDS.filter((word) => word !== ABOVE_SURROGATES) : WORDS;
}

/** A random event. `isWhole` gives numbers without decimals and the zone UTC, in which CEL's arithmetic and calendar agree with ours. */
export function samples(isWhole: boolean): fc.Arbitrary<Sample> {
  const words = fc.constantFrom(...wordsFor(isWhole));
  return fc.record({
    word: maybe(words),
    other: maybe(words),
    size: maybe(wholeNumbers),
    rate: maybe(isWhole ? wholeNumbers : decimals),
    isNew: maybe(fc.boolean()),
    at: maybe(instants),
    tags: maybe(fc.array(words, { maxLength: 4 })),
    timeZone: isWhole ? fc.constant('UTC') : fc.constantFrom(...ZONES),
  });
}

/** The value of an attribute as expressions see it. */
export function valueOf(sample: Sample, name: keyof typeof attributes): Value | undefined {
  const value = sample[name];
  return typeof value === 'number' && attributes[name] === 'NUMBER' ? decimalOfNumber(value) : value;
}

/** The environment of samples: `event.word` and so on; in SQL, columns of the same names. */
export const environment: Environment<Sample> = {
  variables: new Map(
    Object.entries(attributes).map(([name, type]) => [
      `event.${name}`,
      {
        type,
        read: (sample: Sample) => valueOf(sample, name as keyof typeof attributes),
        sql: `s."${name}"`,
        entriesMax: 4,
      },
    ]),
  ),
  timeZone: { read: ({ timeZone }) => timeZone, sql: 's."timeZone"' },
};

const LENGTHS = ['1h', '-90m', '36h', '0s', '1500ms', '8760h'];
const PARTS = [
  'FullYear',
  'Month',
  'Date',
  'DayOfMonth',
  'DayOfWeek',
  'DayOfYear',
  'Hours',
  'Minutes',
  'Seconds',
  'Milliseconds',
];
const DURATION_PARTS = ['Hours', 'Minutes', 'Seconds', 'Milliseconds'];

/** Random expressions of type BOOLEAN and of type NUMBER, as texts. */
export function expressions(
  isWhole: boolean,
): fc.Arbitrary<{ readonly text: string; readonly type: 'BOOLEAN' | 'NUMBER' }> {
  const literalText = fc.constantFrom(...wordsFor(isWhole)).map((word) => JSON.stringify(word));
  const { BOOLEAN, NUMBER } = fc.letrec<Record<ExpressionType | 'ENTRY_TEST', string>>((tie) => {
    const pair = (type: ExpressionType) => fc.tuple(tie(type), tie(type));
    const compared = fc
      .constantFrom<ExpressionType>('STRING', 'NUMBER', 'BOOLEAN', 'TIMESTAMP', 'DURATION')
      .chain((type) => fc.tuple(pair(type), fc.constantFrom('==', '!=', '<', '<=', '>', '>=')))
      .map(([[a, b], operator]) => `(${a} ${operator} ${b})`);
    const name = fc.constantFrom(...Object.keys(attributes));
    const numberLiteral = isWhole
      ? fc.integer({ min: 0, max: 99 }).map(String)
      : fc.oneof(
          fc.integer({ min: 0, max: 99 }).map(String),
          fc.integer({ min: 0, max: 999_999 }).map((n) => (n / 10_000).toFixed(4)),
          fc.constant('12345678901234.5678'),
        );
    return {
      STRING: fc.oneof({ depthSize: 'small' }, literalText, fc.constantFrom('event.word', 'event.other')),
      STRING_LIST: fc.constant('event.tags'),
      NUMBER: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom('event.size', 'event.rate'),
        numberLiteral,
        fc
          .tuple(pair('NUMBER'), fc.constantFrom('+', '-', '*', ...(isWhole ? [] : ['/'])))
          .map(([[a, b], operator]) => `(${a} ${operator} ${b})`),
        tie('NUMBER').map((a) => `(-${a})`),
        fc.tuple(tie('BOOLEAN'), tie('NUMBER'), tie('NUMBER')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
        fc.oneof(tie('STRING'), tie('STRING_LIST')).map((a) => `size(${a})`),
        fc.tuple(tie('TIMESTAMP'), fc.constantFrom(...PARTS)).map(([a, part]) => `${a}.get${part}()`),
        ...(isWhole
          ? []
          : [
              fc.tuple(tie('DURATION'), fc.constantFrom(...DURATION_PARTS)).map(([a, part]) => `${a}.get${part}()`),
              fc
                .tuple(fc.constantFrom('least', 'greatest'), fc.array(tie('NUMBER'), { minLength: 1, maxLength: 3 }))
                .map(([extreme, all]) => `math.${extreme}(${all.join(', ')})`),
              fc.tuple(fc.constantFrom('floor', 'ceil'), tie('NUMBER')).map(([whole, a]) => `math.${whole}(${a})`),
            ]),
      ),
      TIMESTAMP: fc.oneof(
        { depthSize: 'small' },
        fc.constant('event.at'),
        instants.map((ms) => `timestamp("${new Date(ms).toJSON()}")`),
        fc
          .tuple(tie('TIMESTAMP'), fc.constantFrom('+', '-'), tie('DURATION'))
          .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      ),
      DURATION: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(...LENGTHS).map((text) => `duration("${text}")`),
        pair('TIMESTAMP').map(([a, b]) => `(${a} - ${b})`),
        pair('DURATION').map(([a, b]) => `(${a} + ${b})`),
      ),
      BOOLEAN: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constant('event.isNew'),
        compared,
        fc.constantFrom('true', 'false'),
        name.map((each) => `has(event.${each})`),
        fc.tuple(pair('BOOLEAN'), fc.constantFrom('&&', '||')).map(([[a, b], operator]) => `(${a} ${operator} ${b})`),
        tie('BOOLEAN').map((a) => `!${a}`),
        fc.tuple(tie('BOOLEAN'), tie('BOOLEAN'), tie('BOOLEAN')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
        fc
          .tuple(tie('STRING'), fc.array(literalText, { minLength: 1, maxLength: 4 }))
          .map(([a, list]) => `(${a} in [${list.join(', ')}])`),
        fc
          .tuple(tie('NUMBER'), fc.array(numberLiteral, { minLength: 1, maxLength: 4 }))
          .map(([a, list]) => `(${a} in [${list.join(', ')}])`),
        tie('STRING').map((a) => `(${a} in event.tags)`),
        fc
          .tuple(tie('STRING'), fc.constantFrom('startsWith', 'endsWith', 'contains'), tie('STRING'))
          .map(([a, test, b]) => `${a}.${test}(${b})`),
        fc
          .tuple(fc.constantFrom('exists', 'all'), tie('ENTRY_TEST'))
          .map(([quantifier, test]) => `event.tags.${quantifier}(entry, ${test})`),
      ),
      ENTRY_TEST: fc.oneof(
        { depthSize: 'small' },
        fc.tuple(tie('STRING'), fc.constantFrom('==', '<', '!=')).map(([a, operator]) => `(entry ${operator} ${a})`),
        tie('STRING').map((a) => `entry.startsWith(${a})`),
        fc
          .tuple(tie('ENTRY_TEST'), fc.constantFrom('event.isNew', 'size(entry) > 3'))
          .map(([a, b]) => `(${a} && ${b})`),
      ),
    };
  });
  return fc.oneof(
    BOOLEAN.map((text) => ({ text, type: 'BOOLEAN' as const })),
    NUMBER.map((text) => ({ text, type: 'NUMBER' as const })),
  );
}

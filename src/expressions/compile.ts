import { type Sentence, sentence } from '../kernel/sentence.ts';
import { compareDecimals, type Decimal, decimalText } from './decimal.ts';
import { ExpressionError } from './expression-error.ts';
import type { Environment, ExpressionType, Value, Variable } from './expression-type.ts';
import { functions, type Overload, variadic } from './functions.ts';
import { parseDuration, parseInstant } from './literals.ts';
import { parseExpression, type Syntax } from './syntax.ts';

/**
 * The most steps of one evaluation: the parts of an expression, those inside `exists` and `all` counted once for each entry that the list
 * may have.
 */
export const COST_MAX = 2_000;

/** A compiled part of an expression. Undefined and NULL are a value that is missing or does not exist. */
export type Term<Context> = {
  readonly type: ExpressionType;
  readonly run: (context: Context) => Value | undefined;
  /** Absent if a name in it has no SQL. */
  readonly sql: string | undefined;
  readonly syntax: Syntax;
  /** The operands of `&&`, or what a comparison compares. */
  readonly parts: readonly Term<Context>[];
};

/** A checked expression. */
export type Expression<Context> = Term<Context> & {
  readonly text: string;
  /** The names of the environment that it uses, for example `event.category`. */
  readonly names: ReadonlySet<string>;
  /** Steps of one evaluation, at most {@link COST_MAX}. */
  readonly cost: number;
};

/**
 * Checks an expression and compiles it, to a function for events and to SQL for lists.
 * @param type the type that it must have
 * @throws ExpressionError with the position of the first mistake
 */
export function compileExpression<Context>(
  text: string,
  environment: Environment<Context>,
  type: ExpressionType,
): Expression<Context> {
  const expression = compileAnyType(text, environment);
  requireType(expression, type);
  return expression;
}

/** @throws ExpressionError for an expression of another type */
export function requireType<Context>({ text, type: found, syntax }: Expression<Context>, type: ExpressionType): void {
  if (found === type) return;
  const words = sentence`The expression is a ${found}, but must be a ${type}.`;
  throw new ExpressionError(words, text, syntax.start, syntax.end, [type]);
}

/** {@link compileExpression} for an expression of any type. */
export function compileAnyType<Context>(text: string, environment: Environment<Context>): Expression<Context> {
  const syntax = parseExpression(text);
  const compiler = new Compiler(text, environment);
  const term = compiler.compile(syntax);
  if (compiler.cost > COST_MAX) {
    throw new ExpressionError(
      sentence`The expression takes up to ${compiler.cost} steps, at most ${COST_MAX} are allowed. Test fewer lists.`,
      text,
      0,
      text.length,
    );
  }
  return { ...term, text, names: compiler.names, cost: compiler.cost };
}

/** The names of all functions, for messages. */
const FUNCTION_NAMES = [
  ...['has', 'exists', 'all', 'timestamp', 'duration'],
  ...Object.keys(functions).filter((name) => /\w\w/.test(name)),
];

class Compiler<Context> {
  readonly names = new Set<string>();
  cost = 0;
  readonly #text: string;
  readonly #environment: Environment<Context>;
  /** The variable of `exists` or `all` around the current part, and the evaluations of that part. */
  #entry: { readonly name: string; readonly variable: Variable<Context> } | undefined;
  #repeats = 1;

  constructor(text: string, environment: Environment<Context>) {
    this.#text = text;
    this.#environment = environment;
  }

  compile(syntax: Syntax): Term<Context> {
    this.cost += this.#repeats;
    switch (syntax.kind) {
      case 'string':
        return this.#string(syntax);
      case 'number':
        return constant(syntax, 'NUMBER', syntax.value, decimalText(syntax.value) + '::numeric');
      case 'boolean':
        return constant(syntax, 'BOOLEAN', syntax.value, String(syntax.value));
      case 'null':
        throw this.#error(syntax, sentence`The value null is not supported: use has(...) to ask for a value.`);
      case 'list':
        throw this.#error(syntax, sentence`A list of values stands only to the right of in.`);
      case 'name':
        return this.#name(syntax);
      case 'has': {
        const variable = this.#variable(syntax, syntax.name);
        const { read, sql } = variable;
        return term(syntax, 'BOOLEAN', (context) => read(context) !== undefined, sql && `(${sql} is not null)`);
      }
      case 'quantifier':
        return this.#quantifier(syntax);
      case 'call':
        return this.#call(syntax);
    }
  }

  #string(syntax: Extract<Syntax, { kind: 'string' }>): Term<Context> {
    if (!syntax.value.isWellFormed() || syntax.value.includes('\0')) {
      throw this.#error(syntax, sentence`A text must be valid Unicode without NUL characters.`);
    }
    return constant(syntax, 'STRING', syntax.value, sqlText(syntax.value));
  }

  #name(syntax: Extract<Syntax, { kind: 'name' }>): Term<Context> {
    const { type, read, sql } = this.#variable(syntax, syntax.name);
    return term(syntax, type, read, sql);
  }

  #variable(syntax: Syntax, name: string): Variable<Context> {
    if (name === this.#entry?.name) return this.#entry.variable;
    const variable = this.#environment.variables.get(name);
    if (variable === undefined) {
      const known = [...this.#environment.variables.keys()];
      throw this.#error(syntax, sentence`There is no ${name}. Known names: ${known}.`, known);
    }
    this.names.add(name);
    return variable;
  }

  #call(syntax: Call): Term<Context> {
    switch (syntax.name) {
      case '&&':
        return this.#and(syntax);
      case '||':
        return this.#or(syntax);
      case '?:':
        return this.#conditional(syntax);
      case 'in':
        return this.#in(syntax);
      case 'timestamp':
        return this.#literalTime(syntax, 'TIMESTAMP', parseInstant);
      case 'duration':
        return this.#literalTime(syntax, 'DURATION', parseDuration);
      case 'has':
        throw this.#hasOf(syntax);
      default:
        return this.#function(syntax);
    }
  }

  #boolean(syntax: Syntax, needed: string): Term<Context> {
    const part = this.compile(syntax);
    if (part.type === 'BOOLEAN') return part;
    throw this.#error(syntax, sentence`Found a ${part.type}, but ${needed} needs a BOOLEAN.`, ['BOOLEAN']);
  }

  /** The mistake of a `has` without the name of an attribute: CEL's parser leaves it as a function. */
  #hasOf({ args: [asked], ...syntax }: Call): ExpressionError {
    const known = [...this.#environment.variables.keys()].filter((name) => name.includes('.'));
    const [example = 'event.category'] =
      asked?.kind === 'name' ? known.filter((name) => name.startsWith(`${asked.name}.`)) : known;
    const has = `has(${example})`;
    return this.#error(asked ?? syntax, sentence`The function has takes the name of an attribute: ${has}.`, [has]);
  }

  #and(syntax: Call): Term<Context> {
    const parts = syntax.args.map((each) => this.#boolean(each, '&&'));
    const [{ run: left }, { run: right }] = parts as [Term<Context>, Term<Context>];
    const run = (context: Context) => {
      const first = left(context);
      if (first === false) return false;
      const second = right(context);
      return second === false ? false : first === true && second === true ? true : undefined;
    };
    return term(
      syntax,
      'BOOLEAN',
      run,
      sqlOf(parts, ([a, b]) => `(${a} and ${b})`),
      parts,
    );
  }

  #or(syntax: Call): Term<Context> {
    const parts = syntax.args.map((each) => this.#boolean(each, '||'));
    const [{ run: left }, { run: right }] = parts as [Term<Context>, Term<Context>];
    const run = (context: Context) => {
      const first = left(context);
      if (first === true) return true;
      const second = right(context);
      return second === true ? true : first === false && second === false ? false : undefined;
    };
    return term(
      syntax,
      'BOOLEAN',
      run,
      sqlOf(parts, ([a, b]) => `(${a} or ${b})`),
    );
  }

  #conditional(syntax: Call): Term<Context> {
    const [test, yes, no] = syntax.args as [Syntax, Syntax, Syntax];
    const condition = this.#boolean(test, '?');
    const then = this.compile(yes);
    const otherwise = this.compile(no);
    if (then.type !== otherwise.type) {
      throw this.#error(
        no,
        sentence`Found a ${otherwise.type} after :, but a ${then.type} before it: both must have one type.`,
        [then.type],
      );
    }
    const run = (context: Context) => {
      const holds = condition.run(context);
      return holds === undefined ? undefined : holds ? then.run(context) : otherwise.run(context);
    };
    const sql = sqlOf(
      [condition, then, otherwise],
      ([a, b, c]) => `(case ${a} when true then ${b} when false then ${c} end)`,
    );
    return term(syntax, then.type, run, sql);
  }

  #in(syntax: Call): Term<Context> {
    const [needle, list] = syntax.args as [Syntax, Syntax];
    const value = this.compile(needle);
    if (list.kind !== 'list') {
      const entries = this.compile(list);
      if (entries.type !== 'STRING_LIST' || value.type !== 'STRING') {
        throw this.#error(
          list,
          sentence`Found ${value.type} in ${entries.type}: in takes a STRING and a list of strings, or a value and a list of literals.`,
        );
      }
      const run = (context: Context) => {
        const entry = value.run(context);
        const all = entries.run(context) as readonly string[] | undefined;
        return entry === undefined || all === undefined ? undefined : all.includes(entry as string);
      };
      // To PostgreSQL, NULL is certainly not in an empty list.
      const sql = sqlOf(
        [value, entries],
        ([a, b]) => `(select x = any(${b}) from (select ${a} as x offset 0) as value where x is not null)`,
      );
      return term(syntax, 'BOOLEAN', run, sql);
    }
    const entries = list.elements.map((element) => {
      if (element.kind !== value.type.toLowerCase()) {
        throw this.#error(
          element,
          sentence`A list after in has literals of the type of the value before it, here ${value.type}.`,
          [value.type],
        );
      }
      return this.compile(element);
    });
    if (entries.length === 0) throw this.#error(list, sentence`The list after in must not be empty.`);
    const values = entries.map(({ syntax: literal }) => (literal as { readonly value: Value }).value);
    const isOne = membership(value.type, values);
    const run = (context: Context) => {
      const entry = value.run(context);
      return entry === undefined ? undefined : isOne(entry);
    };
    const sql = sqlOf([value, ...entries], ([a, ...rest]) => `(${a} in (${rest.join(', ')}))`);
    return term(syntax, 'BOOLEAN', run, sql, [value]);
  }

  #literalTime(
    syntax: Call,
    type: 'TIMESTAMP' | 'DURATION',
    parse: (text: string) => number | undefined,
  ): Term<Context> {
    const [text] = syntax.args;
    const ms = syntax.args.length === 1 && text?.kind === 'string' ? parse(text.value) : undefined;
    if (ms === undefined) {
      throw this.#error(text ?? syntax, timeTexts[type]);
    }
    return constant(syntax, type, ms, `${ms}::numeric`);
  }

  #quantifier(syntax: Extract<Syntax, { kind: 'quantifier' }>): Term<Context> {
    const { name, list, variable: entryName } = syntax;
    const source =
      list.kind === 'name' && list.name !== this.#entry?.name ? this.#variable(list, list.name) : undefined;
    if (source?.type !== 'STRING_LIST')
      throw this.#error(list, sentence`The function ${name} tests an attribute of type STRING_LIST.`);
    if (source.entriesMax === undefined) {
      throw this.#error(
        list,
        sentence`The list ${(list as { readonly name: string }).name} may have any number of entries: use in instead of ${name}.`,
      );
    }
    if (this.#entry !== undefined) {
      throw this.#error(syntax, sentence`The function ${name} cannot stand inside another exists or all.`);
    }
    if (this.#environment.variables.has(entryName)) {
      throw this.#error(syntax, sentence`The name ${entryName} is taken: use another one in ${name}.`);
    }
    // An evaluation is synchronous, so the current entry can be kept beside the function.
    let current = '';
    this.#entry = { name: entryName, variable: { type: 'STRING', read: () => current, sql: 'entry' } };
    this.#repeats = source.entriesMax;
    const test = this.#boolean(syntax.test, name);
    this.#entry = undefined;
    this.#repeats = 1;

    const decisive = name === 'exists';
    const run = (context: Context) => {
      const entries = source.read(context) as readonly string[] | undefined;
      if (entries === undefined) return undefined;
      let isUnknown = false;
      for (current of entries) {
        const holds = test.run(context);
        if (holds === decisive) return decisive;
        if (holds === undefined) isUnknown = true;
      }
      return isUnknown ? undefined : !decisive;
    };
    const sql =
      source.sql === undefined || test.sql === undefined
        ? undefined
        : `(case when ${source.sql} is not null then (select case when bool_or(holds = ${decisive}) then ${decisive} ` +
          `when bool_or(holds is null) then null else ${!decisive} end ` +
          `from (select ${test.sql} as holds from unnest(${source.sql}) as entries(entry)) as tested) end)`;
    return term(syntax, 'BOOLEAN', run, sql);
  }

  #function(syntax: Call): Term<Context> {
    const overloads = functions[syntax.name];
    if (overloads === undefined) {
      throw this.#error(
        syntax,
        sentence`There is no function ${syntax.name}. Known functions: ${FUNCTION_NAMES}.`,
        FUNCTION_NAMES,
      );
    }
    const args = syntax.args.map((each) => this.compile(each));
    if (variadic.has(syntax.name) && args.length > 0) {
      const [first, ...rest] = args as [Term<Context>, ...Term<Context>[]];
      if (rest.length === 0) return this.#apply(syntax, overloads, [first, first]);
      return rest.reduce((left, right) => this.#apply(syntax, overloads, [left, right]), first);
    }
    return this.#apply(syntax, overloads, args);
  }

  #apply(syntax: Call, overloads: readonly Overload[], args: readonly Term<Context>[]): Term<Context> {
    const chosen = overloads.find(
      ({ takes }) => takes.length === args.length && takes.every((type, index) => type === args[index]!.type),
    );
    if (chosen === undefined) {
      const found = args.map(({ type }) => type);
      const fitting = overloads.map(({ takes }) => sentence`(${takes})`);
      throw this.#error(syntax, sentence`Found ${syntax.name} of (${found}). It takes ${fitting}.`);
    }
    const { timeZone } = this.#environment;
    const needsZone = chosen.usesTimeZone === true;
    const run = strict(
      chosen,
      args.map((each) => each.run),
      needsZone ? timeZone.read : undefined,
    );
    const sql =
      needsZone && timeZone.sql === undefined ? undefined : sqlOf(args, (each) => chosen.sql(each, timeZone.sql ?? ''));
    return term(syntax, chosen.gives, run, sql, args);
  }

  #error({ start, end }: Range, words: Sentence, expected?: readonly string[]): ExpressionError {
    return new ExpressionError(words, this.#text, start, end, expected);
  }
}

type Call = Extract<Syntax, { kind: 'call' }>;
type Range = Pick<Syntax, 'start' | 'end'>;

/** The texts that `timestamp` and `duration` take. */
const timeTexts = {
  TIMESTAMP: sentence`The function timestamp takes a text with date, time and zone, such as "2026-01-31T08:00:00Z", to whole milliseconds.`,
  DURATION: sentence`The function duration takes a text such as "1h30m". Its units are h, m, s and ms; a day is 24h.`,
} as const;

function term<Context>(
  syntax: Syntax,
  type: ExpressionType,
  run: Term<Context>['run'],
  sql: string | undefined,
  parts: readonly Term<Context>[] = [],
): Term<Context> {
  return { syntax, type, run, sql, parts };
}

function constant<Context>(syntax: Syntax, type: ExpressionType, value: Value, sql: string): Term<Context> {
  return term(syntax, type, () => value, sql);
}

/**
 * A function of its arguments that is missing where one of them is. One and two arguments need no array of functions. Only a function of
 * one argument gets the zone: no function of two uses it.
 */
function strict<Context>(
  { run }: Overload,
  args: ReadonlyArray<Term<Context>['run']>,
  timeZone: ((context: Context) => string) | undefined,
): Term<Context>['run'] {
  const [first, second] = args;
  if (args.length === 1) {
    return (context) => {
      const value = first!(context);
      return value === undefined ? undefined : run([value], timeZone?.(context) ?? '');
    };
  }
  return (context) => {
    const a = first!(context);
    if (a === undefined) return undefined;
    const b = second!(context);
    return b === undefined ? undefined : run([a, b], '');
  };
}

function sqlOf<Context>(
  terms: readonly Term<Context>[],
  write: (args: readonly string[]) => string,
): string | undefined {
  const args = terms.map(({ sql }) => sql);
  return args.every((sql) => sql !== undefined) ? write(args) : undefined;
}

function membership(type: ExpressionType, values: readonly Value[]): (value: Value) => boolean {
  if (type !== 'NUMBER') {
    const known = new Set(values);
    return (value) => known.has(value);
  }
  return (value) => values.some((each) => compareDecimals(each as Decimal, value as Decimal) === 0);
}

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'::text`;
}

import type { parse } from '@bufbuild/cel';
import { type Sentence, sentence } from '../kernel/sentence.ts';
import { type Decimal, decimalOfText, DIGITS_MAX, isBounded } from './decimal.ts';
import { ExpressionError } from './expression-error.ts';
import { parsedCel } from './parsed-cel.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A part of a parsed expression, with the characters of its name, literal or operator. */
export type Syntax = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: Decimal }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'list'; readonly elements: readonly Syntax[] }
  /** A name such as `event.category`, or the variable of `exists` and `all`. */
  | { readonly kind: 'name'; readonly name: string }
  /** `has(event.category)`. */
  | { readonly kind: 'has'; readonly name: string }
  /** An operator, by its symbol, or a function by its name. A method is a function of its target. */
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Syntax[] }
  /** `list.exists(variable, test)` or `list.all(variable, test)`. */
  | {
      readonly kind: 'quantifier';
      readonly name: 'exists' | 'all';
      readonly list: Syntax;
      readonly variable: string;
      readonly test: Syntax;
    }
);

/** An expression of CEL's syntax tree. The package exports the function that answers it, but not its name. */
type CelExpr = NonNullable<ReturnType<typeof parse>['expr']>;

/** A literal that no number is: too many digits, or digits of another form. */
const FEWER_DIGITS = sentence`Write a number with at most ${DIGITS_MAX} digits, for example 12.5.`;

/** CEL's names of operators. Functions keep their names. */
const OPERATORS: Readonly<Record<string, string>> = {
  '_&&_': '&&',
  '_||_': '||',
  '!_': '!',
  '_?_:_': '?:',
  '_==_': '==',
  '_!=_': '!=',
  '_<_': '<',
  '_<=_': '<=',
  '_>_': '>',
  '_>=_': '>=',
  '@in': 'in',
  '_+_': '+',
  '_-_': '-',
  '_*_': '*',
  '_/_': '/',
  '-_': '-x',
};

/** Parts of CEL that are not in the subset, by what they say in the text or in CEL's syntax tree. */
const NOT_IN_SUBSET: Readonly<Record<string, Sentence>> = {
  matches: sentence`Regular expressions are not supported: use startsWith, endsWith or contains.`,
  '_%_': sentence`The operator % is not supported.`,
  '_[_]': sentence`An entry of a list cannot be read by its index: use exists or all.`,
  map: sentence`The function map is not supported: use exists or all.`,
  filter: sentence`The function filter is not supported: use exists or all.`,
  exists_one: sentence`The function exists_one is not supported: use exists or all.`,
};

/**
 * The syntax tree of an expression.
 * @throws ExpressionError for a text that is too large, is no CEL, or uses a part of CEL that is not in the subset
 */
export function parseExpression(text: string): Syntax {
  const tokens = tokensOf(text);
  if (tokens.length === 0) throw new ExpressionError(sentence`An expression must not be empty.`, text, 0, 0);
  const { expr, sourceInfo } = parsedCel(text, tokens);
  const reader = new SyntaxReader(text, tokens, sourceInfo?.positions ?? {});
  return reader.read(expr);
}

/** Reads CEL's syntax tree as ours. */
class SyntaxReader {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #positions: Readonly<Record<string, number>>;

  constructor(text: string, tokens: readonly Token[], positions: Readonly<Record<string, number>>) {
    this.#text = text;
    this.#tokens = tokens;
    this.#positions = positions;
  }

  read(expr: CelExpr): Syntax {
    const { exprKind: kind } = expr;
    const range = this.#rangeOf(expr);
    switch (kind.case) {
      case 'constExpr':
        return this.#literal(expr, kind.value.constantKind);
      case 'identExpr':
        return { kind: 'name', name: kind.value.name, ...range };
      case 'selectExpr': {
        const { testOnly, field } = kind.value;
        const path = this.#path(kind.value.operand!);
        // CEL marks the dot; the name after it is what can be wrong.
        const end = this.#endOfField(range.start, field);
        return { kind: testOnly ? 'has' : 'name', name: `${path.name}.${field}`, start: path.start, end };
      }
      case 'listExpr':
        return { kind: 'list', elements: kind.value.elements.map((element) => this.read(element)), ...range };
      case 'callExpr':
        return this.#call(expr, kind.value);
      case 'comprehensionExpr':
        return this.#quantifier(expr, kind.value);
      default:
        throw this.#refused(range, sentence`Maps and messages are not supported in expressions.`);
    }
  }

  #literal(expr: CelExpr, constant: ConstantKind): Syntax {
    const range = this.#rangeOf(expr);
    switch (constant.case) {
      case 'stringValue':
        return { kind: 'string', value: constant.value, ...range };
      case 'boolValue':
        return { kind: 'boolean', value: constant.value, ...range };
      case 'nullValue':
        return { kind: 'null', ...range };
      case 'int64Value':
        return this.#number(range, { coefficient: constant.value, scale: 0 });
      case 'doubleValue':
        return this.#double(range, constant.value);
      default:
        throw this.#refused(
          range,
          sentence`Found ${this.#text.slice(range.start, range.end)}. Write numbers without u, and no bytes.`,
        );
    }
  }

  /** A number with decimals. CEL has a double of it, so the text itself is read: 0.1 is exactly 0.1. */
  #double({ start, end }: Range, value: number): Syntax {
    // CEL's parser counts a sign into a literal, and marks the sign.
    const text = this.#tokens
      .filter((token) => token.start >= start && token.start <= end)
      .map((token) => token.text)
      .find((each) => each !== '-');
    if (text === undefined || !/^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?$/i.test(text)) {
      throw this.#refused({ start, end }, FEWER_DIGITS);
    }
    const size = decimalOfText(text);
    const coefficient = value < 0 ? -size.coefficient : size.coefficient;
    return this.#number({ start, end }, { coefficient, scale: size.scale });
  }

  #number({ start, end }: Range, value: Decimal): Syntax {
    if (!isBounded(value)) throw this.#refused({ start, end }, FEWER_DIGITS);
    return { kind: 'number', value, start, end };
  }

  #call(expr: CelExpr, call: CallExpr): Syntax {
    const range = this.#rangeOf(expr);
    const refusal = NOT_IN_SUBSET[call.function];
    if (refusal !== undefined) throw this.#inBrackets(call) ?? this.#refused(range, refusal);
    const args = call.args.map((each) => this.read(each));
    if (call.target === undefined) {
      const operator = OPERATORS[call.function];
      return { kind: 'call', name: operator ?? call.function, args, ...range };
    }
    const { target } = call;
    if (target.exprKind.case === 'identExpr' && target.exprKind.value.name === 'math') {
      return { kind: 'call', name: `math.${call.function}`, args, ...range };
    }
    return { kind: 'call', name: call.function, args: [this.read(target), ...args], ...range };
  }

  /** The mistake of an attribute in brackets, such as `event["category"]`; undefined for other parts. */
  #inBrackets({ function: name, args: [target, key] }: CallExpr): ExpressionError | undefined {
    if (name !== '_[_]' || target?.exprKind.case !== 'identExpr' || key === undefined) return undefined;
    const attribute = this.read(key);
    if (attribute.kind !== 'string' || !/^[A-Za-z]\w*$/.test(attribute.value)) return undefined;
    const { start } = this.#rangeOf(target);
    const closing = this.#tokens.find((token) => token.start >= attribute.end);
    const instead = `${target.exprKind.value.name}.${attribute.value}`;
    return new ExpressionError(
      sentence`An attribute has its name behind a dot: write ${instead}.`,
      this.#text,
      start,
      closing?.end ?? attribute.end,
      [instead],
    );
  }

  #quantifier(expr: CelExpr, comprehension: ComprehensionExpr): Syntax {
    const range = this.#rangeOf(expr);
    const { accuInit, loopStep, iterRange, iterVar } = comprehension;
    const step = loopStep?.exprKind;
    const from = accuInit?.exprKind.case === 'constExpr' ? accuInit.exprKind.value.constantKind.value : undefined;
    const operator = step?.case === 'callExpr' ? step.value.function : undefined;
    const name =
      from === false && operator === '_||_' ? 'exists' : from === true && operator === '_&&_' ? 'all' : undefined;
    if (name === undefined || comprehension.iterVar2 !== '') {
      throw this.#refused(range, sentence`Of the functions of lists, exists and all are supported, with one variable.`);
    }
    const [, test] = step?.case === 'callExpr' ? step.value.args : [];
    return {
      kind: 'quantifier',
      name,
      variable: iterVar,
      list: this.read(iterRange!),
      test: this.read(test!),
      ...range,
    };
  }

  /** The names before a dot: only names have fields. */
  #path(expr: CelExpr): Range & { readonly name: string } {
    const syntax = this.read(expr);
    if (syntax.kind === 'name') return syntax;
    throw this.#refused(syntax, sentence`Only event and account have attributes, for example event.category.`);
  }

  #endOfField(dot: number, field: string): number {
    const token = this.#tokens.find(({ text, start }) => start >= dot && text === field);
    return token?.end ?? dot + 1;
  }

  #rangeOf({ id }: CelExpr): Range {
    const start = this.#positions[String(id)] ?? 0;
    const index = this.#tokens.findIndex((each) => each.end > start);
    // CEL marks the dot before a method.
    const token = this.#tokens[this.#tokens[index]?.text === '.' ? index + 1 : index];
    return token ?? { start, end: start };
  }

  #refused({ start, end }: Range, words: Sentence): ExpressionError {
    return new ExpressionError(words, this.#text, start, end);
  }
}

type Range = { readonly start: number; readonly end: number };
type ExprOf<Case extends string> =
  Extract<CelExpr['exprKind'], { readonly case: Case }> extends { readonly value: infer V } ? V : never;
type CallExpr = ExprOf<'callExpr'>;
type ComprehensionExpr = ExprOf<'comprehensionExpr'>;
type ConstantKind = ExprOf<'constExpr'>['constantKind'];

/** A literal of an expression: a text, a number as it was written, a moment, or `true` and `false`. */
export type Literal =
  | { readonly type: 'text' | 'number' | 'moment'; readonly text: string }
  | { readonly type: 'boolean'; readonly value: boolean };

/** A comparison of a name with literals. */
export type Comparison =
  | {
      readonly is: 'in' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'contains';
      readonly name: string;
      readonly literals: readonly Literal[];
    }
  | { readonly is: 'present' | 'absent'; readonly name: string };

const TOKEN = /\s*(?:("[^"\\\n]*"|'[^'\\\n]*')|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*(?:\.\w+)?)|(&&|[=!<>]=|[<>![\](),]))/y;

type Token = { readonly kind: 'text' | 'number' | 'word' | 'sign'; readonly text: string };

/** The tokens of a simple expression; undefined for a text with others. */
function tokensOf(expression: string): Token[] | undefined {
  const text = expression.trim();
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const [, quoted, number, word, sign] = TOKEN.exec(text) ?? [];
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.slice(1, -1) });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else return undefined;
  }
  return tokens;
}

/**
 * The comparisons of an expression that only joins them by `&&`, for a sentence about it. Undefined for any other expression, which is
 * shown as it is.
 */
export function comparisonsOf(expression: string): readonly Comparison[] | undefined {
  const tokens = tokensOf(expression);
  if (tokens === undefined) return undefined;
  const reader = new Reader(tokens);
  const comparisons: Comparison[] = [];
  do {
    const comparison = reader.comparison();
    if (comparison === undefined) return undefined;
    comparisons.push(comparison);
  } while (reader.sign('&&'));
  return reader.isAtEnd ? comparisons : undefined;
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  /** Reads a sign, if it is next. */
  sign(text: string): boolean {
    return this.#take((token) => token.kind === 'sign' && token.text === text) !== undefined;
  }

  comparison(): Comparison | undefined {
    if (this.#peek()?.kind === 'text') return this.#contained();
    const negated = this.sign('!');
    if (this.#word('has')) return this.#presence(negated ? 'absent' : 'present');
    const name = this.#name();
    if (name === undefined) return undefined;
    const operator = negated ? undefined : this.#operator();
    if (operator === undefined) return { is: '==', name, literals: [{ type: 'boolean', value: !negated }] };
    const literals = operator === 'in' ? this.#list() : [this.#literal()];
    return literals.every((literal) => literal !== undefined) && literals.length > 0
      ? { is: operator, name, literals }
      : undefined;
  }

  /** `"new" in event.tags` */
  #contained(): Comparison | undefined {
    const literal = this.#literal();
    const name = this.#word('in') ? this.#name() : undefined;
    return literal && name !== undefined ? { is: 'contains', name, literals: [literal] } : undefined;
  }

  /** `(event.tags)` after `has` */
  #presence(is: 'present' | 'absent'): Comparison | undefined {
    const name = this.sign('(') ? this.#name() : undefined;
    return name !== undefined && this.sign(')') ? { is, name } : undefined;
  }

  #operator(): 'in' | '==' | '!=' | '<' | '<=' | '>' | '>=' | undefined {
    if (this.#word('in')) return 'in';
    return (['==', '!=', '<', '<=', '>', '>='] as const).find((sign) => this.sign(sign));
  }

  #list(): Array<Literal | undefined> {
    if (!this.sign('[')) return [];
    const literals = [];
    do literals.push(this.#literal());
    while (this.sign(','));
    return this.sign(']') ? literals : [];
  }

  #literal(): Literal | undefined {
    const token = this.#take(({ kind }) => kind === 'text' || kind === 'number');
    if (token !== undefined) return { type: token.kind as 'text' | 'number', text: token.text };
    if (this.#word('true')) return { type: 'boolean', value: true };
    if (this.#word('false')) return { type: 'boolean', value: false };
    if (!this.#word('timestamp') || !this.sign('(')) return undefined;
    const moment = this.#take(({ kind }) => kind === 'text');
    return moment !== undefined && this.sign(')') ? { type: 'moment', text: moment.text } : undefined;
  }

  #name(): string | undefined {
    return this.#take(({ kind, text }) => kind === 'word' && /^(?:(?:event|account)\.\w+|now)$/.test(text))?.text;
  }

  #word(text: string): boolean {
    return this.#take((token) => token.kind === 'word' && token.text === text) !== undefined;
  }

  #take(fits: (token: Token) => boolean): Token | undefined {
    const next = this.#peek();
    if (next === undefined || !fits(next)) return undefined;
    this.#at += 1;
    return next;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }
}

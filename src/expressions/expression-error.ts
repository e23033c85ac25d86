import type { Sentence } from '../kernel/sentence.ts';

/** A mistake in the text of an expression. Lines and columns count from 1; a column counts UTF-16 code units. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** The mistake, and what would fit. */
  readonly sentence: Sentence;
  /** The first character of the mistake, counted from 0 in UTF-16 code units. */
  readonly start: number;
  /** The character after the mistake. */
  readonly end: number;
  /** The place of `start`. */
  readonly line: number;
  readonly column: number;
  /** The place of `end`. */
  readonly endLine: number;
  readonly endColumn: number;
  /** The parts that would fit there, for programs: names, types or signs. Empty if only the sentence says it. */
  readonly expected: readonly string[];

  constructor(words: Sentence, text: string, start: number, end: number, expected: readonly string[] = []) {
    super(words.toString());
    this.sentence = words;
    this.start = start;
    this.end = end;
    this.expected = expected;
    ({ line: this.line, column: this.column } = placeIn(text, start));
    ({ line: this.endLine, column: this.endColumn } = placeIn(text, end));
  }
}

function placeIn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

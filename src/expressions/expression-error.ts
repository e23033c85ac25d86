import type { Sentence } from '../kernel/sentence.ts';

/** A mistake in the text of an expression. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** The mistake, and what would fit. */
  readonly sentence: Sentence;
  /** The first character of the mistake, counted from 0 in UTF-16 code units. */
  readonly start: number;
  /** The character after the mistake. */
  readonly end: number;
  /** The line of `start`, counted from 1. */
  readonly line: number;
  /** The character of `start` in its line, counted from 1. */
  readonly column: number;

  constructor(words: Sentence, text: string, start: number, end: number) {
    super(words.toString());
    this.sentence = words;
    this.start = start;
    this.end = end;
    const before = text.slice(0, start).split('\n');
    this.line = before.length;
    this.column = before.at(-1)!.length + 1;
  }
}

import type { Failure } from '../api/failure.ts';
import type { Sentence } from '../language/service-sentence.ts';

/** A mistake in the text of an expression. */
export type ExpressionFault = {
  /** The mistake, without its place. */
  readonly sentence: Sentence;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
};

const PLACED = /^[\w.[\]]+, line (\d+), column (\d+): (.+)$/s;

/** The mistake of a refusal such as `missions[0].conditions.expression, line 1, column 8: …`; undefined for another one. */
export function expressionFaultOf({ message, metadata }: Failure): ExpressionFault | undefined {
  const [, line, column, mistake] = PLACED.exec(message) ?? [];
  if (mistake === undefined) return undefined;
  // The mistake is the fourth value of the sentence.
  const own = Object.entries(metadata).filter(([key]) => key.startsWith('3.'));
  const parts = Object.fromEntries(own.map(([key, value]) => [key.slice(2), value]));
  return { sentence: { message: mistake, metadata: parts }, line: Number(line), column: Number(column) };
}

/** Selects the word or sign with the mistake, if the field is a text area. */
export function selectFault(field: HTMLElement | null, { line, column }: ExpressionFault): void {
  if (!(field instanceof HTMLTextAreaElement)) return;
  const lines = field.value.split('\n').slice(0, line - 1);
  const start = lines.reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
  const [piece = ''] = /^(?:[\w.]+|"[^"\n]*"?|\S+)/.exec(field.value.slice(start)) ?? [];
  field.setSelectionRange(start, start + piece.length);
}

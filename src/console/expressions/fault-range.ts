import type { ExpressionFault } from '../../../gen/laurel/errors/v1/expression_fault_pb.ts';

/** The range of a mistake in the text of an expression; lines and columns count from 1. */
export type FaultRange = Pick<ExpressionFault, 'line' | 'column' | 'endLine' | 'endColumn'>;

/** Selects the word or sign with the mistake, if the field is a text area. */
export function selectFault(field: HTMLElement | null, { line, column, endLine, endColumn }: FaultRange): void {
  if (!(field instanceof HTMLTextAreaElement)) return;
  field.setSelectionRange(offsetAt(field.value, line, column), offsetAt(field.value, endLine, endColumn));
}

/** The offset of a place in a text. */
export function offsetAt(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
}

import { DomainError, type ExpressionDetail } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import { compileExpression, type Expression } from './compile.ts';
import { ExpressionError } from './expression-error.ts';
import type { Environment, ExpressionType } from './expression-type.ts';

/** The 400 of a request with a mistake in an expression; it says the line and column of the mistake, and what would fit. */
export class InvalidExpression extends DomainError {
  readonly #details: readonly [ExpressionDetail];

  constructor(field: string, { sentence: mistake, line, column, endLine, endColumn, expected }: ExpressionError) {
    super('BAD_REQUEST', sentence`${field}, line ${line}, column ${column}: ${mistake}`);
    this.#details = [
      { field, rule: 'expression', message: mistake.toString(), line, column, endLine, endColumn, expected },
    ];
  }

  override get details(): readonly [ExpressionDetail] {
    return this.#details;
  }
}

/**
 * An expression of a request.
 * @param field the name of the expression in the request
 * @throws InvalidExpression
 */
export function checkedExpression<Context>(
  text: string,
  environment: Environment<Context>,
  type: ExpressionType,
  field: string,
): Expression<Context> {
  try {
    return compileExpression(text, environment, type);
  } catch (error) {
    throw error instanceof ExpressionError ? new InvalidExpression(field, error) : error;
  }
}

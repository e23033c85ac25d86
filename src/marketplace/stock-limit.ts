import { badRequest, type DomainError } from '../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../kernel/sentence.ts';

/** The maximum of units of one publication or agreement; PostgreSQL's `integer` holds a little more. */
export const STOCK_MAX = 2_000_000_000;

/**
 * The 400 of units that would exceed {@link STOCK_MAX}.
 * @param holder for example sentence`A publication`
 */
export function stockTooLarge(holder: Sentence): DomainError {
  return badRequest(sentence`${holder} holds ${STOCK_MAX} units at most. Send a smaller \`quantity\`.`);
}

import { badRequest, type DomainError } from '../kernel/domain-error.ts';

/** Units of one publication or agreement at most; PostgreSQL's `integer` holds a little more. */
export const STOCK_MAX = 2_000_000_000;

/** The 400 of units that would exceed {@link STOCK_MAX}. @param holder for example `A publication` */
export function stockTooLarge(holder: string): DomainError {
  return badRequest(`${holder} holds ${STOCK_MAX} units at most. Send a smaller \`quantity\`.`);
}

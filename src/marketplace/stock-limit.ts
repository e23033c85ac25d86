import { badRequest, type DomainError } from '../kernel/domain-error.ts';
import { told, type Told } from '../kernel/told.ts';

/** Units of one publication or agreement at most; PostgreSQL's `integer` holds a little more. */
export const STOCK_MAX = 2_000_000_000;

/** The 400 of units that would exceed {@link STOCK_MAX}. @param holder for example told`A publication` */
export function stockTooLarge(holder: Told): DomainError {
  return badRequest(told`${holder} holds ${STOCK_MAX} units at most. Send a smaller \`quantity\`.`);
}

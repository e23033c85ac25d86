import { compareDecimals, type Decimal, floor } from '../../expressions/decimal.ts';
import { type Amount, ONE } from '../../kernel/amount.ts';

const ZERO: Decimal = { coefficient: 0n, scale: 0 };

/**
 * The points that an expression pays: its value rounded down to whole points, at most `amountMax`. Otherwise the reason why it pays
 * nothing, as in the proto's SkippedReward.
 * @param value undefined if the expression has no value
 */
export function pointsOfFormula(
  value: Decimal | undefined,
  amountMax: Amount,
): Amount | 'AMOUNT_BELOW_ONE' | 'AMOUNT_MISSING' {
  if (value === undefined) return 'AMOUNT_MISSING';
  const whole = floor(value);
  if (compareDecimals(whole, ZERO) <= 0) return 'AMOUNT_BELOW_ONE';
  const amount = whole.coefficient * ONE;
  return amount > amountMax ? amountMax : amount;
}

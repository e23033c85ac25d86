import { badRequest } from './domain-error.ts';

/**
 * A quantity in ten-thousandths: 1.5 points are 15000n. Integers add exactly, so 0.1 + 0.2 is 0.3, and PostgreSQL's
 * `numeric(20,4)` holds every value that fits here.
 */
export type Amount = bigint;

const SCALE = 10_000;
const DECIMALS = 4;

/** One whole unit. */
export const ONE: Amount = 10_000n;

/** Largest quantity that one request may name: a billion. Sums stay far below what a JSON number holds exactly. */
export const AMOUNT_MAX = 1_000_000_000;

/**
 * An Amount from a JSON number.
 * @param field how the caller named it, for the message
 * @throws DomainError `BAD_REQUEST` for NaN, infinities, more than four decimals, or an absolute value above {@link AMOUNT_MAX}
 */
export function amountFromNumber(value: number, field: string): Amount {
  if (!Number.isFinite(value) || Math.abs(value) > AMOUNT_MAX) {
    throw badRequest(`${field} must be a number between -${AMOUNT_MAX} and ${AMOUNT_MAX}.`);
  }
  const scaled = Math.round(value * SCALE);
  // The nearest double to n/10000 is `value` only if the caller wrote at most four decimals.
  if (scaled / SCALE !== value) throw badRequest(`${field} may have at most ${DECIMALS} decimals, ${value} has more.`);
  return BigInt(scaled);
}

/** The JSON number of an Amount; exact up to 2^53 ten-thousandths, which is 900 billion. */
export function amountToNumber(amount: Amount): number {
  return Number(amount) / SCALE;
}

/** An Amount from PostgreSQL's decimal text, for example `-12.5000`. More than four decimals cannot come from `numeric(20,4)`. */
export function amountFromDecimal(text: string): Amount {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const magnitude = BigInt(whole + fraction.padEnd(DECIMALS, '0'));
  return text.startsWith('-') ? -magnitude : magnitude;
}

/** PostgreSQL's decimal text of an Amount. */
export function amountToDecimal(amount: Amount): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(DECIMALS + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

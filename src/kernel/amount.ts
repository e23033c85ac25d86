import { badRequest } from './errors/domain-error.ts';
import { sentence } from './sentence.ts';

/**
 * A quantity in ten-thousandths: 1.5 points are 15000n. Integers add exactly, so 0.1 + 0.2 is 0.3, and PostgreSQL's
 * `numeric(20,4)` holds every value that fits here.
 */
export type Amount = bigint;

const SCALE = 10_000;
const DECIMALS = 4;

/** One whole unit. */
export const ONE: Amount = 10_000n;

/** The largest quantity of one request: a billion. */
export const AMOUNT_MAX = 1_000_000_000;

/** The largest sum of points: 900 billion, up to which a JSON number holds four decimals exactly. */
export const SUM_MAX: Amount = 900_000_000_000n * ONE;

/** The tolerance around four decimals: the errors that sums and products of prices accumulate in doubles. */
const NEAR = 1e-9;
const NEAR_ULPS = 4;

/**
 * An Amount from a JSON number. A number within max(1e-9, four ulps) of four decimals is rounded to them: a caller who sends 3 * 1.1 means
 * 3.3, but the computer sends 3.3000000000000003.
 * @param field the name of the field in the request, for the message
 * @param least the smallest accepted value
 * @throws DomainError `BAD_REQUEST` for NaN, infinities, more than four decimals, or a value below `least` or above {@link AMOUNT_MAX}
 */
export function amountFromNumber(value: number, field: string, least = -AMOUNT_MAX): Amount {
  const scaled = Math.round(value * SCALE);
  if (!(scaled >= least * SCALE && scaled <= AMOUNT_MAX * SCALE)) {
    throw badRequest(sentence`${field} must be a number from ${least} to ${AMOUNT_MAX}.`);
  }
  if (!isNear(value, scaled / SCALE)) {
    throw badRequest(sentence`${field} may have at most ${DECIMALS} decimals, ${value} has more.`);
  }
  return BigInt(scaled);
}

/** The number that {@link amountFromNumber} understands; an invalid number is returned unchanged. */
export function roundedNumber(value: number): number {
  const rounded = Math.round(value * SCALE) / SCALE;
  // Adding 0 turns -0 into 0.
  return isNear(value, rounded) ? rounded + 0 : value;
}

/** Whether `value` means the amount `rounded`, the nearest double to four decimals. False for NaN and infinities. */
function isNear(value: number, rounded: number): boolean {
  const distance = Math.abs(value - rounded);
  return distance <= NEAR || distance <= NEAR_ULPS * ulpOf(value);
}

const float = new Float64Array(1);
const bits = new BigUint64Array(float.buffer);

/** The distance from a finite number to the next one away from zero. */
function ulpOf(value: number): number {
  float[0] = Math.abs(value);
  bits[0]! += 1n;
  return float[0] - Math.abs(value);
}

/** The JSON number of an Amount; exact up to 2^53 ten-thousandths, which is more than {@link SUM_MAX}. */
export function amountToNumber(amount: Amount): number {
  return Number(amount) / SCALE;
}

/** The JSON number of an Amount that may be absent. */
export function optionalNumber(amount: Amount | undefined): number | undefined {
  return amount === undefined ? undefined : amountToNumber(amount);
}

/** An Amount from a decimal text that may be null. */
export function optionalAmount(text: string | null): Amount | undefined {
  return text === null ? undefined : amountFromDecimal(text);
}

/** The JSON number of an unbounded sum, capped at {@link SUM_MAX}, so that it is exact. */
export function sumToNumber(sum: Amount): number {
  return amountToNumber(sum > SUM_MAX ? SUM_MAX : sum);
}

/** An Amount from PostgreSQL's decimal text, for example `-12.5000`. A `numeric(20,4)` never has more than four decimals. */
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

/** The smaller of two amounts. */
export function leastAmount(one: Amount, other: Amount): Amount {
  return one < other ? one : other;
}

/** Adds an amount to the sum under a key. */
export function addAmount(sums: Map<string, Amount>, key: string, amount: Amount): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

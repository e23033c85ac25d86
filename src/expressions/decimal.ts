/**
 * An exact decimal number: `coefficient` divided by ten to the power of `scale`. 1.50 is 150n with scale 2. Values of equal size may have
 * different scales.
 */
export type Decimal = { readonly coefficient: bigint; readonly scale: number };

/** The decimals of a quotient, rounded half away from zero as PostgreSQL's `round` does. */
export const QUOTIENT_SCALE = 12;

/** The most digits of a result, without zeros at its end. */
export const DIGITS_MAX = 38;

const LIMIT = 10n ** BigInt(DIGITS_MAX);

/** The decimals of an amount and of an attribute of type NUMBER. */
const AMOUNT_SCALE = 4;

const powers: bigint[] = [1n];

function powerOfTen(exponent: number): bigint {
  while (powers.length <= exponent) powers.push(powers.at(-1)! * 10n);
  return powers[exponent]!;
}

/** The decimal of a number of ten-thousandths. */
export function decimalOfAmount(amount: bigint): Decimal {
  return { coefficient: amount, scale: AMOUNT_SCALE };
}

/** The decimal of a JSON number with at most four decimals, for example the value of an attribute. */
export function decimalOfNumber(value: number): Decimal {
  return { coefficient: BigInt(Math.round(value * 10 ** AMOUNT_SCALE)), scale: AMOUNT_SCALE };
}

/** The decimal of a text such as `12`, `0.50` or `1e3`, as it stands in an expression. */
export function decimalOfText(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const coefficient = BigInt(whole + fraction);
  return scale >= 0 ? { coefficient, scale } : { coefficient: coefficient * powerOfTen(-scale), scale: 0 };
}

/** Whether a decimal has at most {@link DIGITS_MAX} digits. */
export function isBounded({ coefficient, scale }: Decimal): boolean {
  return bounded(coefficient, scale) !== undefined;
}

/** The shortest text of a decimal: `1.5`, `-3`, `0`. */
export function decimalText(value: Decimal): string {
  const { coefficient, scale } = trimmed(value);
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${coefficient < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
}

/** `a + b`; undefined with more than {@link DIGITS_MAX} digits. */
export function plus(a: Decimal, b: Decimal): Decimal | undefined {
  const scale = Math.max(a.scale, b.scale);
  return bounded(atScale(a, scale) + atScale(b, scale), scale);
}

/** `a - b`; undefined with more than {@link DIGITS_MAX} digits. */
export function minus(a: Decimal, b: Decimal): Decimal | undefined {
  const scale = Math.max(a.scale, b.scale);
  return bounded(atScale(a, scale) - atScale(b, scale), scale);
}

/** `a * b`; undefined with more than {@link DIGITS_MAX} digits. */
export function times(a: Decimal, b: Decimal): Decimal | undefined {
  return bounded(a.coefficient * b.coefficient, a.scale + b.scale);
}

/** `a / b` to {@link QUOTIENT_SCALE} decimals; undefined for a divisor of zero and with more than {@link DIGITS_MAX} digits. */
export function dividedBy(a: Decimal, b: Decimal): Decimal | undefined {
  if (b.coefficient === 0n) return undefined;
  const shift = QUOTIENT_SCALE + b.scale - a.scale;
  const dividend = magnitude(a) * (shift > 0 ? powerOfTen(shift) : 1n);
  const divisor = magnitude(b) * (shift < 0 ? powerOfTen(-shift) : 1n);
  const rounded = (2n * dividend + divisor) / (2n * divisor);
  return bounded(a.coefficient < 0n === b.coefficient < 0n ? rounded : -rounded, QUOTIENT_SCALE);
}

/** `-a`. */
export function negated({ coefficient, scale }: Decimal): Decimal {
  return { coefficient: -coefficient, scale };
}

/** The largest whole number that is not above `a`. */
export function floor({ coefficient, scale }: Decimal): Decimal {
  const unit = powerOfTen(scale);
  const whole = coefficient / unit;
  return { coefficient: coefficient < 0n && whole * unit !== coefficient ? whole - 1n : whole, scale: 0 };
}

/** Negative if `a` is below `b`, zero if they are equal, else positive. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const left = atScale(a, scale);
  const right = atScale(b, scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

function magnitude({ coefficient }: Decimal): bigint {
  return coefficient < 0n ? -coefficient : coefficient;
}

function atScale({ coefficient, scale }: Decimal, wanted: number): bigint {
  return scale === wanted ? coefficient : coefficient * powerOfTen(wanted - scale);
}

function bounded(coefficient: bigint, scale: number): Decimal | undefined {
  if (isBelowLimit(coefficient)) return { coefficient, scale };
  const value = trimmed({ coefficient, scale });
  return isBelowLimit(value.coefficient) ? value : undefined;
}

function isBelowLimit(coefficient: bigint): boolean {
  return coefficient < LIMIT && coefficient > -LIMIT;
}

/** The same value without zeros at the end of its decimals. */
function trimmed({ coefficient, scale }: Decimal): Decimal {
  let rest = coefficient;
  let decimals = scale;
  while (decimals > 0 && rest % 10n === 0n) {
    rest /= 10n;
    decimals -= 1;
  }
  return { coefficient: rest, scale: decimals };
}

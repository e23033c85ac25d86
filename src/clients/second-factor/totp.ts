import { Secret, TOTP } from 'otpauth';
import { CLOCK_TOLERANCE_MS } from '../../kernel/time/due.ts';

/** Seconds of validity of one code. */
const PERIOD = 30;

/** The number of accepted codes before and after the current one: clocks differ, and people type slowly. */
const WINDOW = 1;

/** Bytes, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** The label in an authenticator app. */
const ISSUER = 'Laurel';

/** The defaults of authenticator apps, many of which ignore other values. */
const KIND = { algorithm: 'SHA1', digits: 6, period: PERIOD } as const;

/** A new random secret, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/**
 * The URI with which an app imports a secret, `otpauth://totp/...`.
 * @param label the owner's name for the person
 */
export function totpUri(secret: string, label: string): string {
  return new TOTP({ ...KIND, issuer: ISSUER, label, secret: Secret.fromBase32(secret) }).toString();
}

/**
 * Whether a code of `step` may have been used before: a step up to the last used one. A last used step in the future
 * comes from a clock that was ahead, and is ignored.
 */
export function isUsedStep(step: number, lastUsed: number | null | undefined, now: Date): boolean {
  if (lastUsed == null) return false;
  const present = Math.floor(now.getTime() / (PERIOD * 1_000));
  return step <= lastUsed && lastUsed <= present + WINDOW + CLOCK_TOLERANCE_MS / (PERIOD * 1_000);
}

/** The time step of a code (thirty seconds, counted from 1970); undefined if the code is not accepted now. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const totp = new TOTP({ ...KIND, secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

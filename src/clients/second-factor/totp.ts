import { Secret, TOTP } from 'otpauth';
import { CLOCK_TOLERANCE_MS } from '../../kernel/time/due.ts';

/** Seconds for which one code is shown. */
const PERIOD = 30;

/** Codes before and after the present one that are accepted too: clocks differ, and people type slowly. */
const WINDOW = 1;

/** Bytes, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** The label in an authenticator app. */
const ISSUER = 'Laurel';

/** The defaults of authenticator apps, many of which ignore other values. */
const KIND = { algorithm: 'SHA1', digits: 6, period: PERIOD } as const;

/** A secret that nobody has, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address by which an app learns a secret, `otpauth://totp/...`. @param label whose it is, for the person */
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

/** The step (thirty seconds, counted from 1970) of a code; undefined if the code is not accepted now. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const totp = new TOTP({ ...KIND, secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

import { Secret, TOTP } from 'otpauth';
import { CLOCK_TOLERANCE_MS } from '../../kernel/time/due.ts';

/** Seconds for which one code is shown. */
const PERIOD = 30;

/** Codes before and after the present one that are accepted too: clocks differ, and people type slowly. */
const WINDOW = 1;

/** Bytes, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** What an authenticator app shows above its codes. */
const ISSUER = 'Laurel';

/** What apps know without being told: others of them ignore what differs. */
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
 * Whether a code of `step` may have been used before: it is none after the last one that was. One that was used at a step that is not
 * shown for a while yet was so by a clock that was ahead, and says nothing.
 */
export function isUsedStep(step: number, lastUsed: number | null | undefined, now: Date): boolean {
  if (lastUsed == null) return false;
  const present = Math.floor(now.getTime() / (PERIOD * 1_000));
  return step <= lastUsed && lastUsed <= present + WINDOW + CLOCK_TOLERANCE_MS / (PERIOD * 1_000);
}

/** The thirty seconds, counted from 1970, whose code this is; undefined where it is none of those that are accepted now. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const totp = new TOTP({ ...KIND, secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

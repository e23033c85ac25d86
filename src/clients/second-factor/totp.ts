import { Secret, TOTP } from 'otpauth';

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

/** The thirty seconds, counted from 1970, whose code this is; undefined where it is none of those that are accepted now. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const totp = new TOTP({ ...KIND, secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

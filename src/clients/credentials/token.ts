import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An API key is for an integrator's backend, an access token for an administrator's tools. For a signed-in person, SESSION is the bearer
 * token and REFRESH the value of the cookie that renews it.
 */
export type TokenKind = 'API_KEY' | 'ACCESS_TOKEN' | 'SESSION' | 'REFRESH';

const PREFIXES: Record<TokenKind, string> = {
  API_KEY: 'lrl_key_',
  ACCESS_TOKEN: 'lrl_adm_',
  SESSION: 'lrl_ses_',
  REFRESH: 'lrl_ref_',
};

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 62^22 is just above 2^128, so that 22 characters hold any UUID. */
const CLIENT_LENGTH = 22;

/** 190 bits cannot be guessed, so a plain SHA-256 is enough for storage (a slow hash protects only weak secrets). */
const SECRET_LENGTH = 32;

/** 62^6 is above 2^32, so that 6 characters hold any CRC-32. */
const CHECKSUM_LENGTH = 6;

const TOKEN = new RegExp(
  `^(lrl_(?:key|adm|ses|ref)_)([0-9A-Za-z]{${CLIENT_LENGTH}})[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
);

/** Enough to find a token in a list, far too few to use it. Tokens share their beginning (prefix, client), but not their end. */
const HINT_LENGTH = 4;

/**
 * A new secret token of a client: prefix, client id, 32 random characters, checksum. The client id inside lets the token be looked up among
 * that client's rows alone. It is shown once; only its hash is stored.
 */
export function newToken(kind: TokenKind, clientId: string): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const body = PREFIXES[kind] + base62(BigInt(`0x${clientId.replaceAll('-', '')}`), CLIENT_LENGTH) + secret;
  return body + checksum(body);
}

/** The SHA-256 under which a token is stored and found. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The last characters of a token, by which people distinguish tokens in a list. */
export function tokenHint(token: string): string {
  return token.slice(-HINT_LENGTH);
}

/**
 * The kind and client of a token; undefined if the text is not a token or was mistyped. The checksum saves a look-up in the database, and
 * lets secret scanners recognise real tokens; it authenticates no caller.
 */
export function parseToken(token: string): { kind: TokenKind; clientId: string } | undefined {
  const parts = TOKEN.exec(token);
  if (parts === null) return undefined;
  if (checksum(token.slice(0, -CHECKSUM_LENGTH)) !== token.slice(-CHECKSUM_LENGTH)) return undefined;
  const clientId = uuidOf(parts[2] ?? '');
  const [kind] = Object.entries(PREFIXES).find(([, prefix]) => prefix === parts[1]) ?? [];
  return clientId === undefined || kind === undefined ? undefined : { kind: kind as TokenKind, clientId };
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  const digits: string[] = [];
  for (let rest = value; digits.length < length; rest /= 62n) digits.push(ALPHABET[Number(rest % 62n)] ?? '');
  return digits.reverse().join('');
}

/** Undefined above 2^128, because 22 characters can also encode larger numbers. */
function uuidOf(text: string): string | undefined {
  let value = 0n;
  for (const digit of text) value = value * 62n + BigInt(ALPHABET.indexOf(digit));
  const hex = value.toString(16).padStart(32, '0');
  if (hex.length > 32) return undefined;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

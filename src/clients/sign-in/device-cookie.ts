import { randomBytes } from 'node:crypto';
import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { hashToken } from '../credentials/token.ts';
import { type CookieContext, cookieOf, cookieText } from '../sessions/cookies.ts';

const NAME = 'laurel_device';

/** Bytes; enough to prevent guessing. */
const TOKEN_BYTES = 32;

/** The most people per browser. */
const PEOPLE = 5;

/** The most known browsers per user; the least recently used one is deleted. */
const BROWSERS = 20;

/** Seconds: 400 days, the longest lifetime that browsers allow a cookie. */
const KEPT = 400 * 86_400;

/**
 * The digests of the tokens in a browser's cookie, one for each of its people. A token only shows that one user has signed in with this
 * browser before; it grants no access.
 */
export function devicesOf(context: Omit<CookieContext, 'responseHeader'>): Buffer[] {
  return tokensOf(context).map(hashToken);
}

/**
 * Stores the browser of a user who has just signed in, in the sign-in's unit of work. A token from the browser stays in use if it belongs
 * to this user. It never becomes another user's token, because an attacker could have planted it.
 * @returns the tokens for its cookie, the user's own last
 */
export async function rememberDevice(
  uow: UnitOfWork,
  userId: string,
  context: Omit<CookieContext, 'responseHeader'>,
  now: Date,
): Promise<string[]> {
  const tokens = tokensOf(context);
  const known = await uow.query<{ hash: Buffer }>(
    `update console_device set last_used_at = $3 where client_id = $1 and user_id = $2 and hash = any($4::bytea[]) returning hash`,
    [uow.clientId, userId, now, tokens.map(hashToken)],
  );
  const own = tokens.find((token) => known.some(({ hash }) => hash.equals(hashToken(token))));
  if (own !== undefined) return [...tokens.filter((token) => token !== own), own];
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await uow.query(
    'insert into console_device (client_id, id, user_id, hash, last_used_at) values ($1, $2, $3, $4, $5)',
    [uow.clientId, newId(), userId, hashToken(token), now],
  );
  await uow.query(
    `delete from console_device where client_id = $1 and id in (
       select id from console_device where client_id = $1 and user_id = $2 order by last_used_at desc, id desc offset ${BROWSERS})`,
    [uow.clientId, userId],
  );
  return [...tokens, token].slice(-PEOPLE);
}

/** Sets the cookie of a known browser. */
export function setDeviceCookie({ responseHeader, site }: CookieContext, tokens: readonly string[]): void {
  if (site === undefined) return;
  const cookie = { name: NAME, value: tokens.join('.'), sameSite: 'Strict', maxAge: KEPT } as const;
  responseHeader.append('set-cookie', cookieText(cookie, site));
}

function tokensOf(context: Omit<CookieContext, 'responseHeader'>): string[] {
  const sent = cookieOf(context, NAME)?.split('.', PEOPLE) ?? [];
  return sent.filter((token) => /^[\w-]{43}$/.test(token));
}

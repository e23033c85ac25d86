import { randomBytes } from 'node:crypto';
import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { hashToken } from '../credentials/token.ts';
import { type CookieContext, cookieOf, cookieText } from '../sessions/cookies.ts';

const NAME = 'laurel_device';

/** Bytes: nobody guesses one. */
const TOKEN_BYTES = 32;

/** People of one browser. */
const PEOPLE = 5;

/** Browsers that are known of one user; the one that was not used for longest is forgotten. */
const BROWSERS = 20;

/** Seconds: 400 days, the longest that browsers keep a cookie. */
const KEPT = 400 * 86_400;

/**
 * The digests of the tokens in a browser's cookie, one for each of its people. A token says that this browser has signed in
 * as one user before, and nothing else: it opens nothing.
 */
export function devicesOf(context: Omit<CookieContext, 'responseHeader'>): Buffer[] {
  return tokensOf(context).map(hashToken);
}

/**
 * Makes a browser known of a user who has just signed in, in the sign-in's unit of work. A token that the browser brought
 * is kept if it is the user's own, and never becomes another user's: anyone who had planted it would be known as well.
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

/** Sets the cookie by which a browser is known. */
export function setDeviceCookie({ responseHeader, site }: CookieContext, tokens: readonly string[]): void {
  if (site === undefined) return;
  const cookie = { name: NAME, value: tokens.join('.'), sameSite: 'Strict', maxAge: KEPT } as const;
  responseHeader.append('set-cookie', cookieText(cookie, site));
}

function tokensOf(context: Omit<CookieContext, 'responseHeader'>): string[] {
  const sent = cookieOf(context, NAME)?.split('.', PEOPLE) ?? [];
  return sent.filter((token) => /^[\w-]{43}$/.test(token));
}

import { hash } from 'node:crypto';
import { isDue } from '../../kernel/time/due.ts';
import { createSecretBox, type SecretBox } from '../../kernel/secrets/secret-box.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { isDue as isDueSql } from '../../persistence/moments.ts';
import { hashToken } from '../credentials/token.ts';
import { consoleSessionTable } from './console-session.entity.ts';
import { consoleTokenTable } from './console-token.entity.ts';
import { newRefreshToken, RENEWABLE_FOR, SESSION_FOR, type SessionTokens } from './sessions.queries.ts';

/** Milliseconds for which a replaced cookie is still accepted: tabs that open together send the same one. */
const REPLACED_FOR = 10_000;

/** The result of renewing a cookie's token. */
export type Renewal =
  | ({ readonly kind: 'renewed'; readonly sessionId: string; readonly userId: string; readonly expiresAt: Date } & Pick<
      SessionTokens,
      'refreshToken' | 'refreshExpiresAt'
    >)
  | { readonly kind: 'ended' }
  /** The cookie was replaced earlier, so two parties have it. */
  | { readonly kind: 'stolen'; readonly sessionId: string; readonly userId: string };

/**
 * Replaces a cookie's token. A token replaced within the last ten seconds yields the latest token of the session, not a
 * new one. A session has one chain of tokens: if two parties have the same token, the second use is detected as soon as
 * the first party has renewed.
 */
export async function renewCookie(uow: UnitOfWork, sent: string, now: Date): Promise<Renewal> {
  let token = sent;
  for (;;) {
    const row = await lockedToken(uow, token, now);
    if (row === undefined) return { kind: 'ended' };
    const session = { sessionId: row.session_id, userId: row.user_id, expiresAt: row.ends };
    if (row.replaced_at === null) {
      const latest = { refreshToken: token, refreshExpiresAt: row.expires_at };
      const next = token === sent ? await replace(uow, { id: row.id, token, session }, now) : latest;
      return { kind: 'renewed', ...session, ...next };
    }
    if (isDue(new Date(row.replaced_at.getTime() + REPLACED_FOR), now, REPLACED_FOR))
      return { kind: 'stolen', ...session };
    if (row.successor === null) return { kind: 'ended' };
    token = boxOf(token).open(row.successor, row.id);
  }
}

const TOKEN = columnsOf(consoleTokenTable, ['id', 'sessionId', 'expiresAt', 'replacedAt', 'successor'], 't');
const USER = columnsOf(consoleSessionTable, ['userId'], 's');

/** `ends` is the end of the session. */
type TokenRow = RowOf<typeof TOKEN> & RowOf<typeof USER> & { readonly ends: Date };

/** The lock serialises callers with the same token. */
async function lockedToken(uow: UnitOfWork, token: string, now: Date): Promise<TokenRow | undefined> {
  const [row] = await uow.query<TokenRow>(
    `select ${TOKEN}, ${USER}, s.expires_at as ends
       from console_token t
       join console_session s on s.client_id = t.client_id and s.id = t.session_id
       join console_user u on u.client_id = s.client_id and u.id = s.user_id
      where t.client_id = $1 and t.hash = $2 and t.kind = 'REFRESH'
        and not ${isDueSql('t.expires_at', RENEWABLE_FOR, '$3::timestamptz')}
        and not ${isDueSql('s.expires_at', SESSION_FOR, '$3::timestamptz')} and s.ended_at is null and u.disabled_at is null
        for update of t`,
    [uow.clientId, hashToken(token), now],
  );
  return row;
}

async function replace(
  uow: UnitOfWork,
  { id, token, session }: { id: string; token: string; session: { sessionId: string; expiresAt: Date } },
  now: Date,
): Promise<Pick<SessionTokens, 'refreshToken' | 'refreshExpiresAt'>> {
  const next = await newRefreshToken(uow, session, now);
  await uow.query(`update console_token set replaced_at = $3, successor = $4 where client_id = $1 and id = $2`, [
    uow.clientId,
    id,
    now,
    boxOf(token).seal(next.refreshToken, id),
  ]);
  await uow.query(
    `update console_token set successor = null
      where client_id = $1 and session_id = $2 and successor is not null and replaced_at < $3`,
    [uow.clientId, session.sessionId, new Date(now.getTime() - REPLACED_FOR)],
  );
  return next;
}

/** The key is derived from the token. The database has only the token's digest, so a reader of the rows cannot decrypt the successor. */
function boxOf(token: string): SecretBox {
  return createSecretBox([hash('sha256', `laurel successor of ${token}`, 'buffer')]);
}

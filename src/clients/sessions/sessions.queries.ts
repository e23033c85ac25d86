import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { hashToken, newToken } from '../token.ts';

/** Milliseconds that an access token is accepted. */
const ACCESS_FOR = 60 * 60_000;

/** Milliseconds that a session lasts without being renewed: over lunch and a long afternoon, not over the night. */
const RENEWABLE_FOR = 12 * 60 * 60_000;

/** Milliseconds that a session lasts at most, however often it is renewed. */
const SESSION_FOR = 7 * 24 * 60 * 60_000;

/** Milliseconds in which a replaced cookie is still accepted: tabs that open together send the same one. */
const REPLACED_FOR = 10_000;

/** The secrets of a session, which exist here and with the caller only. */
export type SessionTokens = {
  /** For `Authorization: Bearer`. */
  readonly accessToken: string;
  readonly accessExpiresAt: Date;
  /** For the cookie. */
  readonly refreshToken: string;
  readonly refreshExpiresAt: Date;
};

/** A session that may be renewed, or why it may not. */
export type Renewal =
  | { readonly kind: 'renewable'; readonly sessionId: string; readonly userId: string; readonly expiresAt: Date }
  | { readonly kind: 'ended' }
  /** The cookie was replaced a while ago, so that two parties hold it. */
  | { readonly kind: 'stolen'; readonly sessionId: string; readonly userId: string };

/** Begins a session of a user of the unit of work's client. */
export async function beginSession(uow: UnitOfWork, userId: string, now: Date): Promise<SessionTokens> {
  const sessionId = newId();
  const expiresAt = new Date(now.getTime() + SESSION_FOR);
  await uow.query(
    'insert into console_session (client_id, id, user_id, created_at, expires_at) values ($1, $2, $3, $4, $5)',
    [uow.clientId, sessionId, userId, now, expiresAt],
  );
  return newTokens(uow, { sessionId, expiresAt }, now);
}

/** Another access token and another cookie of a session; earlier access tokens stay valid. */
export async function newTokens(
  uow: UnitOfWork,
  { sessionId, expiresAt }: { sessionId: string; expiresAt: Date },
  now: Date,
): Promise<SessionTokens> {
  const tokens = {
    accessToken: newToken('SESSION', uow.clientId),
    accessExpiresAt: earlier(expiresAt, new Date(now.getTime() + ACCESS_FOR)),
    refreshToken: newToken('REFRESH', uow.clientId),
    refreshExpiresAt: earlier(expiresAt, new Date(now.getTime() + RENEWABLE_FOR)),
  };
  await uow.query(
    `insert into console_token (client_id, id, session_id, kind, hash, expires_at)
     values ($1, $2, $3, 'ACCESS', $4, $5), ($1, $6, $3, 'REFRESH', $7, $8)`,
    [
      ...[uow.clientId, newId(), sessionId, hashToken(tokens.accessToken), tokens.accessExpiresAt],
      ...[newId(), hashToken(tokens.refreshToken), tokens.refreshExpiresAt],
    ],
  );
  return tokens;
}

/** Takes a cookie's token out of use, and tells whether its session goes on. */
export async function replaceRefreshToken(uow: UnitOfWork, token: string, now: Date): Promise<Renewal> {
  const [row] = await uow.query<{
    id: string;
    session_id: string;
    user_id: string;
    ends: Date;
    replaced_at: Date | null;
  }>(
    `select t.id, t.session_id, s.user_id, s.expires_at as ends, t.replaced_at
       from console_token t
       join console_session s on s.client_id = t.client_id and s.id = t.session_id
       join console_user u on u.client_id = s.client_id and u.id = s.user_id
      where t.client_id = $1 and t.hash = $2 and t.kind = 'REFRESH'
        and t.expires_at > $3 and s.expires_at > $3 and s.ended_at is null and u.disabled_at is null
        for update of t`,
    [uow.clientId, hashToken(token), now],
  );
  if (row === undefined) return { kind: 'ended' };
  const session = { sessionId: row.session_id, userId: row.user_id };
  if (row.replaced_at !== null && now.getTime() - row.replaced_at.getTime() > REPLACED_FOR) {
    return { kind: 'stolen', ...session };
  }
  await uow.query('update console_token set replaced_at = coalesce(replaced_at, $3) where client_id = $1 and id = $2', [
    uow.clientId,
    row.id,
    now,
  ]);
  return { kind: 'renewable', ...session, expiresAt: row.ends };
}

/** The session of an access token or a cookie of the unit of work's client, also one that has expired. */
export async function sessionOfToken(
  uow: UnitOfWork,
  token: string,
): Promise<{ sessionId: string; userId: string } | undefined> {
  const [row] = await uow.query<{ session_id: string; user_id: string }>(
    `select t.session_id, s.user_id
       from console_token t join console_session s on s.client_id = t.client_id and s.id = t.session_id
      where t.client_id = $1 and t.hash = $2`,
    [uow.clientId, hashToken(token)],
  );
  return row && { sessionId: row.session_id, userId: row.user_id };
}

/** Ends one session, and tells whether it had not ended before. */
export async function endSession(uow: UnitOfWork, sessionId: string, now: Date): Promise<boolean> {
  const rows = await uow.query(
    'update console_session set ended_at = $3 where client_id = $1 and id = $2 and ended_at is null returning id',
    [uow.clientId, sessionId, now],
  );
  return rows.length > 0;
}

/** Ends all sessions of a user, but for one. */
export async function endSessions(uow: UnitOfWork, userId: string, now: Date, butFor?: string): Promise<void> {
  await uow.query(
    `update console_session set ended_at = $3
      where client_id = $1 and user_id = $2 and ended_at is null and id is distinct from $4::uuid`,
    [uow.clientId, userId, now, butFor ?? null],
  );
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

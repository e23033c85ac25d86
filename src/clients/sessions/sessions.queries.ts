import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { hashToken, newToken } from '../credentials/token.ts';

/** Milliseconds of validity of an access token. */
export const ACCESS_FOR = 60 * 60_000;

/** Milliseconds of a session without a renewal: it survives a long afternoon, but not a night. */
export const RENEWABLE_FOR = 12 * 60 * 60_000;

/** The maximum milliseconds of a session, regardless of renewals. */
export const SESSION_FOR = 7 * 24 * 60 * 60_000;

/** The secrets of a session. Only this process and the caller have them. */
export type SessionTokens = {
  /** For `Authorization: Bearer`. */
  readonly accessToken: string;
  readonly accessExpiresAt: Date;
  /** For the cookie. */
  readonly refreshToken: string;
  readonly refreshExpiresAt: Date;
};

/** Facts about earlier sign-ins, shown at a sign-in. */
export type PreviousSignIns = {
  /** Wrong passwords since the previous sign-in. */
  readonly failed: number;
  /** The time of the previous sign-in; null at the first one. */
  readonly signedInAt: Date | null;
};

/** The origin of a sign-in. The browser and the address help the person recognise the session. */
export type SignInOrigin = { readonly userAgent: string; readonly address: string; readonly byProvider: boolean };

/** Stored characters of a user agent. */
const USER_AGENT_LENGTH = 255;

/** Begins a session of a user of the unit of work's client. */
export async function beginSession(
  uow: UnitOfWork,
  userId: string,
  past: PreviousSignIns,
  { userAgent, address, byProvider }: SignInOrigin,
  now: Date,
): Promise<SessionTokens & { readonly sessionId: string }> {
  const sessionId = newId();
  const expiresAt = new Date(now.getTime() + SESSION_FOR);
  await uow.query(
    `insert into console_session
       (client_id, id, user_id, created_at, last_used_at, expires_at, failed_before, signed_in_before_at, user_agent, address,
        by_provider)
     values ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10)`,
    [
      uow.clientId,
      sessionId,
      userId,
      now,
      expiresAt,
      past.failed,
      past.signedInAt,
      checkedAgent(userAgent),
      address,
      byProvider,
    ],
  );
  const session = { sessionId, expiresAt };
  return { sessionId, ...(await newAccessToken(uow, session, now)), ...(await newRefreshToken(uow, session, now)) };
}

/** The facts shown at the begin of a session; undefined for an unknown session. */
export async function previousSignInsOf(uow: UnitOfWork, sessionId: string): Promise<PreviousSignIns | undefined> {
  const [row] = await uow.query<{ failed_before: number; signed_in_before_at: Date | null }>(
    'select failed_before, signed_in_before_at from console_session where client_id = $1 and id = $2',
    [uow.clientId, sessionId],
  );
  return row && { failed: row.failed_before, signedInAt: row.signed_in_before_at };
}

/** A session that needs tokens. */
type OpenSession = { readonly sessionId: string; readonly expiresAt: Date };

/** Creates a further access token of a session; earlier ones stay valid. */
export async function newAccessToken(
  uow: UnitOfWork,
  { sessionId, expiresAt }: OpenSession,
  now: Date,
): Promise<Pick<SessionTokens, 'accessToken' | 'accessExpiresAt'>> {
  const accessToken = newToken('SESSION', uow.clientId);
  const accessExpiresAt = earlier(expiresAt, new Date(now.getTime() + ACCESS_FOR));
  await insertToken(uow, { sessionId, kind: 'ACCESS', token: accessToken, expiresAt: accessExpiresAt });
  return { accessToken, accessExpiresAt };
}

/** Creates a further cookie value of a session. The caller marks the present one as replaced. */
export async function newRefreshToken(
  uow: UnitOfWork,
  { sessionId, expiresAt }: OpenSession,
  now: Date,
): Promise<Pick<SessionTokens, 'refreshToken' | 'refreshExpiresAt'>> {
  const refreshToken = newToken('REFRESH', uow.clientId);
  const refreshExpiresAt = earlier(expiresAt, new Date(now.getTime() + RENEWABLE_FOR));
  await insertToken(uow, { sessionId, kind: 'REFRESH', token: refreshToken, expiresAt: refreshExpiresAt });
  return { refreshToken, refreshExpiresAt };
}

async function insertToken(
  uow: UnitOfWork,
  { sessionId, kind, token, expiresAt }: { sessionId: string; kind: string; token: string; expiresAt: Date },
): Promise<void> {
  await uow.query(
    'insert into console_token (client_id, id, session_id, kind, hash, expires_at) values ($1, $2, $3, $4, $5, $6)',
    [uow.clientId, newId(), sessionId, kind, hashToken(token), expiresAt],
  );
}

/** The session of an access token or cookie of the unit of work's client, also if the token has expired. */
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

/** Ends one session. Returns false if it had ended before. */
export async function endSession(uow: UnitOfWork, sessionId: string, now: Date): Promise<boolean> {
  const rows = await uow.query(
    'update console_session set ended_at = $3 where client_id = $1 and id = $2 and ended_at is null returning id',
    [uow.clientId, sessionId, now],
  );
  return rows.length > 0;
}

/** Ends an open session of this user. Returns false if the user has no such open session. */
export async function endSessionOf(uow: UnitOfWork, userId: string, sessionId: string, now: Date): Promise<boolean> {
  const rows = await uow.query(
    `update console_session set ended_at = $4
      where client_id = $1 and user_id = $2 and id = $3 and ended_at is null and expires_at > $4 returning id`,
    [uow.clientId, userId, sessionId, now],
  );
  return rows.length > 0;
}

/** Records that a session was used. */
export async function touchSession(uow: UnitOfWork, sessionId: string, now: Date): Promise<void> {
  await uow.query('update console_session set last_used_at = $3 where client_id = $1 and id = $2', [
    uow.clientId,
    sessionId,
    now,
  ]);
}

/**
 * Ends all sessions of a user, except `butFor`.
 * @returns the number of sessions that were still open
 */
export async function endSessions(uow: UnitOfWork, userId: string, now: Date, butFor?: string): Promise<number> {
  const ended = await uow.query<{ open: boolean }>(
    `update console_session set ended_at = $3
      where client_id = $1 and user_id = $2 and ended_at is null and id is distinct from $4::uuid
     returning expires_at > $3 as open`,
    [uow.clientId, userId, now, butFor ?? null],
  );
  return ended.filter(({ open }) => open).length;
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

/** PostgreSQL's text cannot store NUL, and a header may contain any bytes, so only printable ASCII is kept. */
function checkedAgent(userAgent: string): string {
  return userAgent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, USER_AGENT_LENGTH);
}

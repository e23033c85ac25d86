import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import { type RefreshSessionResponseSchema, SessionService } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { parseToken } from '../credentials/token.ts';
import type { Call } from '../call.ts';
import type { CookieContext } from './cookies.ts';
import { requireConsoleUser } from '../users/require-console-user.ts';
import { renewCookie } from './renew-cookie.ts';
import { sessionCookie, setSessionCookie } from './session-cookie.ts';
import { userSession } from './session-message.ts';
import { endSession, newAccessToken, touchSession } from './sessions.queries.ts';

/** Returns a new access token for the cookie, and replaces the cookie: proto SessionService.RefreshSession. */
export async function refreshSession(
  { db, now }: Call,
  cookies: CookieContext,
): Promise<MessageInitShape<typeof RefreshSessionResponseSchema>> {
  const token = sessionCookie(cookies);
  const parsed = token === undefined ? undefined : parseToken(token);
  if (token === undefined || parsed?.kind !== 'REFRESH') throw sessionEnded();
  // The end of a stolen session is stored too, so the error must not be thrown inside the transaction.
  const renewed = await db.unitOfWork(parsed.clientId, (uow) => renew(uow, token, now));
  if (renewed === undefined) throw sessionEnded();
  const { tokens, session } = renewed;
  setSessionCookie(cookies, tokens.refreshToken, tokens.refreshExpiresAt, now);
  return { accessToken: tokens.accessToken, expiresAt: timestampFromDate(tokens.accessExpiresAt), session };
}

async function renew(uow: UnitOfWork, token: string, now: Date) {
  const renewal = await renewCookie(uow, token, now);
  if (renewal.kind === 'ended') return undefined;
  const user = await requireConsoleUser(uow, renewal.userId);
  if (renewal.kind === 'renewed') {
    await touchSession(uow, renewal.sessionId, now);
    const tokens = { ...renewal, ...(await newAccessToken(uow, renewal, now)) };
    return { tokens, session: await userSession(uow, user, renewal.sessionId) };
  }
  await endSession(uow, renewal.sessionId, now);
  const actor = { type: 'USER', id: user.id, name: user.email } as const;
  await recordChange(
    uow,
    { actor },
    {
      operation: SessionService.method.refreshSession,
      schema: ConsoleUserSchema,
      id: user.id,
      note: 'A cookie that had been replaced was sent again: it may be a stolen one, so the session was ended.',
    },
  );
  return undefined;
}

function sessionEnded(): DomainError {
  return new DomainError('SESSION_ENDED', 'The session has ended. Sign in again.');
}

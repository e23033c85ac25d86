import type { MessageInitShape } from '@bufbuild/protobuf';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import { SessionService, type SignOutResponseSchema } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { parseToken } from '../credentials/token.ts';
import type { Call } from '../call.ts';
import type { CookieContext } from './cookies.ts';
import { requireConsoleUser } from '../users/require-console-user.ts';
import { clearSessionCookie, sessionCookie } from './session-cookie.ts';
import { endSession, sessionOfToken } from './sessions.queries.ts';

/** Ends the session of the cookie, or of the access token: proto SessionService.SignOut. */
export async function signOut(
  { db, clock }: Call,
  cookies: CookieContext,
): Promise<MessageInitShape<typeof SignOutResponseSchema>> {
  clearSessionCookie(cookies);
  const token = sessionCookie(cookies) ?? bearerOf(cookies.requestHeader) ?? '';
  const parsed = parseToken(token);
  if (parsed?.kind !== 'REFRESH' && parsed?.kind !== 'SESSION') return {};
  await db.unitOfWork(parsed.clientId, async (uow) => {
    const session = await sessionOfToken(uow, token);
    if (session === undefined || !(await endSession(uow, session.sessionId, clock()))) return;
    const user = await requireConsoleUser(uow, session.userId);
    const actor = { type: 'USER', id: user.id, name: user.email } as const;
    await recordChange(
      uow,
      { actor },
      { operation: SessionService.method.signOut, schema: ConsoleUserSchema, id: user.id },
    );
  });
  return {};
}

function bearerOf(header: Headers): string | undefined {
  return /^bearer (\S+)$/i.exec(header.get('authorization') ?? '')?.[1];
}

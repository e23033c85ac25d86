import type { DescMethod, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import type { SignInResponseSchema } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { secondFactorRequired, type Shown } from '../second-factor/take-code.ts';
import { hashPassword, newPassword } from '../users/password.ts';
import { requireConsoleUser } from '../users/require-console-user.ts';
import type { CookieContext } from '../sessions/cookies.ts';
import { rememberDevice, setDeviceCookie } from './device-cookie.ts';
import { setSessionCookie } from '../sessions/session-cookie.ts';
import { userSession } from '../sessions/session-message.ts';
import { beginSession } from '../sessions/sessions.queries.ts';

/**
 * Begins the session of an authenticated user, reports earlier failures, and remembers the browser.
 * @param by.address the caller's address; empty if unknown
 * @param by.shown the means by which a second factor was shown; a user with a second factor needs it for a sign-in by password
 * @param by.provider whether a provider authenticated the user; a temporary password is then removed
 */
export async function completeSignIn(
  { db, clock }: { db: Database; clock: Clock },
  { clientId, id }: { clientId: string; id: string },
  operation: DescMethod,
  context: CookieContext,
  by: { address: string; provider?: string; shown?: Shown },
): Promise<MessageInitShape<typeof SignInResponseSchema>> {
  const now = clock();
  const userAgent = context.requestHeader.get('user-agent') ?? '';
  const way = { userAgent, address: by.address, byProvider: by.provider !== undefined };
  const dummyHash = by.provider === undefined ? '' : await hashPassword(newPassword());
  const { tokens, session, devices } = await db.unitOfWork(clientId, async (uow) => {
    const user = await requireConsoleUser(uow, id);
    if (user.secondFactorAt && by.provider === undefined && by.shown === undefined) throw secondFactorRequired();
    const past = { failed: user.failedSignIns, signedInAt: user.lastSignedInAt ?? null };
    uow.em.assign(user, { failedSignIns: 0, lockedUntil: null, lastSignedInAt: now });
    if (by.provider && user.passwordTemporary)
      uow.em.assign(user, { passwordTemporary: false, passwordHash: dummyHash });
    await uow.em.flush();
    const actor = { type: 'USER', id, name: user.email } as const;
    const note = noteOf(by, past.failed);
    await recordChange(uow, { actor }, { operation, schema: ConsoleUserSchema, id, note });
    const begun = await beginSession(uow, id, past, way, now);
    return {
      tokens: begun,
      session: await userSession(uow, user, begun.sessionId),
      devices: await rememberDevice(uow, id, context, now),
    };
  });
  setSessionCookie(context, tokens.refreshToken, tokens.refreshExpiresAt, now);
  setDeviceCookie(context, devices);
  return { accessToken: tokens.accessToken, expiresAt: timestampFromDate(tokens.accessExpiresAt), session };
}

function noteOf({ provider, shown }: { provider?: string; shown?: Shown }, failed: number): string | undefined {
  const words = [
    ...(provider === undefined ? [] : [`By ${provider}.`]),
    ...(shown?.by === 'APP' ? ['With a second factor.'] : []),
    ...(shown?.by === 'RECOVERY_CODE' ? [`With a recovery code; ${shown.left} are left.`] : []),
    ...(failed === 0 ? [] : [`${failed} sign-ins with a wrong password came before this one.`]),
  ];
  return words.length === 0 ? undefined : words.join(' ');
}

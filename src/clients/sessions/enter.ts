import type { DescMethod, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import type { SignInResponseSchema } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { hashPassword, newPassword } from '../users/password.ts';
import { requireConsoleUser } from '../users/require-console-user.ts';
import type { CookieContext } from './cookies.ts';
import { setSessionCookie } from './session-cookie.ts';
import { userSession } from './session-message.ts';
import { beginSession } from './sessions.queries.ts';

/**
 * Begins the session of a user who has shown who he is, and forgets the failures before.
 * @param by.provider vouches for the user, who then needs no password: one that an administrator made is taken away
 */
export async function enter(
  { db, clock }: { db: Database; clock: Clock },
  { clientId, id }: { clientId: string; id: string },
  operation: DescMethod,
  context: CookieContext,
  by: { provider?: string } = {},
): Promise<MessageInitShape<typeof SignInResponseSchema>> {
  const now = clock();
  const nobodys = by.provider === undefined ? '' : await hashPassword(newPassword());
  const { tokens, session } = await db.unitOfWork(clientId, async (uow) => {
    const user = await requireConsoleUser(uow, id);
    uow.em.assign(user, { failedSignIns: 0, lockedUntil: null, lastSignedInAt: now });
    if (by.provider && user.passwordTemporary) uow.em.assign(user, { passwordTemporary: false, passwordHash: nobodys });
    await uow.em.flush();
    const actor = { type: 'USER', id, name: user.email } as const;
    const note = by.provider && `By ${by.provider}.`;
    await recordChange(uow, { actor }, { operation, schema: ConsoleUserSchema, id, note });
    return { tokens: await beginSession(uow, id, now), session: await userSession(uow, user) };
  });
  setSessionCookie(context, tokens.refreshToken, tokens.refreshExpiresAt, now);
  return { accessToken: tokens.accessToken, expiresAt: timestampFromDate(tokens.accessExpiresAt), session };
}

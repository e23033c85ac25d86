import type { ServiceImpl } from '@connectrpc/connect';
import type { SessionService } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { principalOf } from '../principal.ts';
import { strangersAttempts } from '../users/failed-attempts.ts';
import { changePassword } from './change-password.ts';
import { getSession } from './get-session.ts';
import { listSignInMethods, type OidcMethod } from './list-sign-in-methods.ts';
import { refreshSession } from './refresh-session.ts';
import { signInBrake } from './sign-in-brake.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

/** Signing in to the console and out of it. */
export function sessionService(db: Database, clock: Clock, oidc?: OidcMethod) {
  const desk = { db, clock, brake: signInBrake(), stranger: strangersAttempts() };
  return {
    signIn: (request, context) => signIn(desk, request, context),
    refreshSession: (_request, context) => refreshSession(desk, context),
    signOut: (_request, context) => signOut(desk, context),
    getSession: (_request, context) => getSession(db, principalOf(context)),
    changePassword: (request, context) => changePassword(desk, principalOf(context), request),
    listSignInMethods: (_request, context) => listSignInMethods(oidc, context),
  } satisfies ServiceImpl<typeof SessionService>;
}

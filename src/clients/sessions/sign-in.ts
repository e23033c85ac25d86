import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  SessionService,
  type SignInRequest,
  type SignInResponseSchema,
} from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import type { Clock } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import type { Database } from '../../persistence/database.ts';
import type { strangersAttempts } from '../users/failed-attempts.ts';
import { takeAttempt } from '../users/failed-attempts.ts';
import { isNobodysPassword, isPassword } from '../users/password.ts';
import { type CookieContext, requireCookies } from './cookies.ts';
import { enter } from './enter.ts';
import { type Candidate, usersOfEmail } from './sign-in.queries.ts';
import type { SignInBrake } from './sign-in-brake.ts';

/** What signing in needs. */
export type SignInDesk = {
  readonly db: Database;
  readonly clock: Clock;
  readonly brake: SignInBrake;
  /** Counts the attempts at e-mails that nobody has. */
  readonly stranger: ReturnType<typeof strangersAttempts>;
};

/** Who a user is that nobody is: so that an unknown e-mail costs the database what a known one does. */
const NOBODY = { clientId: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' };

/** Begins a session: proto SessionService.SignIn. */
export async function signIn(
  desk: SignInDesk,
  request: SignInRequest,
  context: CookieContext & { readonly address: string },
): Promise<MessageInitShape<typeof SignInResponseSchema>> {
  requireCookies(context);
  const { address } = context;
  await desk.brake.requireRoom(address);
  const users = await usersOfEmail(desk.db, request.email, request.clientId?.toLowerCase());
  const matching = await usersWithPassword(desk, users, request).catch(async (error: unknown) => {
    await desk.brake.failed(address);
    throw error;
  });
  if (matching.length === 0) {
    await desk.brake.failed(address);
    throw refused();
  }
  const welcome = matching.filter((user) => !user.disabled);
  const [user, ...others] = welcome;
  if (user === undefined) {
    throw new DomainError(
      'forbidden',
      'USER_DISABLED',
      'This user has been disabled. Ask an administrator to enable it again.',
    );
  }
  if (others.length > 0) return { choices: welcome.map(({ clientId, clientName }) => ({ clientId, clientName })) };
  return enter(desk, user, SessionService.method.signIn, context);
}

/**
 * Those of `users` whose password it is. Each attempt is counted before it is made.
 * @throws MustWait `USER_LOCKED` where every one of them is locked
 */
async function usersWithPassword(
  { db, clock, stranger }: SignInDesk,
  users: readonly Candidate[],
  { email, password }: SignInRequest,
): Promise<Candidate[]> {
  if (users.length === 0) {
    stranger(email, clock());
    await takeAttempt(db, NOBODY, clock());
    await isNobodysPassword(password);
    return [];
  }
  const tries = await Promise.allSettled(
    users.map(async (user) => {
      await takeAttempt(db, user, clock());
      return (await isPassword(password, user.passwordHash)) ? [user] : [];
    }),
  );
  const found = tries.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const failures = tries.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length === tries.length || failures.some((failure) => !isLock(failure))) throw failures[0];
  return found;
}

/** Of several users with one e-mail, one that is locked does not keep the others out. */
function isLock(failure: unknown): boolean {
  return failure instanceof DomainError && failure.code === 'USER_LOCKED';
}

/** One answer for all that may be wrong, so that it tells nobody which e-mails there are. */
function refused(): DomainError {
  return new DomainError(
    'unauthenticated',
    'SIGN_IN_REFUSED',
    'The e-mail or the password is wrong. Try again; after five wrong passwords a user is locked for 15 minutes.',
  );
}

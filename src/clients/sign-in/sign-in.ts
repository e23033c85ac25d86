import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  SessionService,
  type SignInRequest,
  type SignInResponseSchema,
} from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import { callerAddress } from '../../kernel/caller-address.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Call } from '../call.ts';
import { checkDummyHash, isPassword } from '../users/password.ts';
import { admit, type Admitted, type SignInDesk } from './admit.ts';
import { clearAttempts, returnAttempts, NOBODY } from './attempts.ts';
import { type CookieContext, requireCookies } from '../sessions/cookies.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';
import { devicesOf } from './device-cookie.ts';
import { requireSecondFactor } from './require-second-factor.ts';
import { completeSignIn } from './complete-sign-in.ts';
import { type Candidate, countFailedSignIn, TRIED, usersOfEmail } from './sign-in.queries.ts';

/** Begins a session: proto SessionService.SignIn. */
export async function signIn(
  { db, clock, context }: Call,
  { email, password, clientId: named, secondFactor }: SignInRequest,
  {
    throttle,
    secrets,
    cookies,
  }: { readonly throttle: SignInThrottle; readonly secrets: SecretBox; readonly cookies: CookieContext },
): Promise<MessageInitShape<typeof SignInResponseSchema>> {
  requireCookies(cookies);
  const desk = { db, clock, throttle };
  const address = callerAddress(context);
  const clientId = named?.toLowerCase();
  const users = await usersOfEmail(db, { email, clientId, devices: devicesOf(cookies) });
  const admitted = await admit(desk, users, { email, clientId, address });
  const matching = await usersWithPassword(desk, admitted, password);
  if (matching.length === 0) throw await failed(desk, admitted, address);
  await succeeded(desk, admitted, matching.length === users.length && users.length < TRIED);
  const welcome = matching.filter((user) => !user.disabled);
  const [user, ...others] = welcome;
  if (user === undefined) {
    throw new DomainError('USER_DISABLED', 'This user has been disabled. Ask an administrator to enable it again.');
  }
  if (others.length > 0)
    return { choices: welcome.map(({ clientId: of, clientName }) => ({ clientId: of, clientName })) };
  const second = await requireSecondFactor(desk, user, secondFactor, { secrets, address });
  return completeSignIn(desk, user, SessionService.method.signIn, cookies, { address, ...second });
}

/** The admitted users with this password. If too many checks run, the attempt is returned. */
async function usersWithPassword(desk: SignInDesk, { users, taken }: Admitted, password: string): Promise<Candidate[]> {
  // All checks are awaited, so that none still runs when the attempts are returned.
  const checks = users.map(async (user) => ((await isPassword(password, user.passwordHash)) ? [user] : []));
  const checked = await Promise.allSettled(checks.length === 0 ? [checkDummyHash(password).then(() => [])] : checks);
  const failure = checked.find((each) => each.status === 'rejected');
  if (failure === undefined) return checked.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  for (const each of taken) await returnAttempts(desk, each);
  throw failure.reason;
}

/** Counts a wrong password and returns the error. */
async function failed(desk: SignInDesk, { users, refusal, isKnown }: Admitted, address: string): Promise<DomainError> {
  const tried = users.length === 0 ? [{ clientId: NOBODY, id: NOBODY }] : users;
  await Promise.all(tried.map((user) => countFailedSignIn(desk, user, address)));
  if (!isKnown) await desk.throttle.failed(address);
  return refusal ?? refused();
}

/**
 * A sign-in with the right password does not count as a failure for other users with the same e-mail. It clears the
 * counters only if it is the password of all of them; otherwise it would give new guesses against the others.
 */
async function succeeded(desk: SignInDesk, { taken, own }: Admitted, isEverybodys: boolean): Promise<void> {
  for (const each of taken) await returnAttempts(desk, each);
  if (!isEverybodys) return;
  for (const counter of own) await desk.db.unitOfWork(counter.clientId, (uow) => clearAttempts(uow, counter));
}

/** One answer for all faults, so that it does not reveal existing e-mails. */
function refused(): DomainError {
  return new DomainError(
    'SIGN_IN_REFUSED',
    'The e-mail or the password is wrong. Try again; after five wrong passwords one has to wait longer each time.',
  );
}

import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import { codeRefused, secondFactorRequired, type Shown, takeCode } from '../second-factor/take-code.ts';
import { requireConsoleUser } from '../users/require-console-user.ts';
import type { SignInDesk } from './admit.ts';
import { attempt, clearAttempts } from './attempts.ts';
import { secondFactorCounter } from './counters.ts';
import { type Candidate, countFailedSignIn } from './sign-in.queries.ts';

/**
 * Requires the second factor of a user with a correct password, if the user has one.
 * @param typed the sent code
 * @returns the means by which it was shown; undefined if the user has none
 * @throws DomainError `SECOND_FACTOR_REQUIRED`, `SECOND_FACTOR_REFUSED`; MustWait `USER_LOCKED`
 */
export async function requireSecondFactor(
  desk: SignInDesk,
  user: Candidate,
  typed: string | undefined,
  { secrets, address }: { readonly secrets: SecretBox; readonly address: string },
): Promise<{ readonly shown?: Shown }> {
  const { db, clock } = desk;
  if (!user.hasSecondFactor) return {};
  if (typed === undefined) throw secondFactorRequired();
  const counter = secondFactorCounter(user, user.deviceId);
  const shown = await attempt(desk, counter, () =>
    db.unitOfWork(user.clientId, async (uow) => {
      const stored = await requireConsoleUser(uow, user.id);
      // The second factor was reset after the password check.
      if (!stored.secondFactorAt) return undefined;
      const used = takeCode(stored, typed, secrets, clock());
      if (used === undefined) return undefined;
      await uow.em.flush();
      await clearAttempts(uow, counter);
      return used;
    }),
  );
  if (shown !== undefined) return { shown };
  await countFailedSignIn(desk, user, address);
  if (user.deviceId === null) await desk.throttle.failed(address);
  throw codeRefused();
}

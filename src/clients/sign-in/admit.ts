import type { Clock } from '../../kernel/time/clock.ts';
import type { DomainError } from '../../kernel/errors/domain-error.ts';
import { TooManyRequests } from '../../kernel/errors/rate-limited.ts';
import type { Database } from '../../persistence/database.ts';
import { type Counter, type Taken, takeAttempts } from './attempts.ts';
import { deviceCounter, unknownBrowserCounters } from './counters.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';
import type { Candidate } from './sign-in.queries.ts';

/** The dependencies of sign-ins. */
export type SignInDesk = {
  readonly db: Database;
  readonly clock: Clock;
  readonly throttle: SignInThrottle;
};

/** The users whose passwords may be checked now. */
export type Admitted = {
  readonly users: readonly Candidate[];
  /** The attempts taken for this sign-in; the caller returns them unless the password is wrong. */
  readonly taken: readonly Taken[];
  /** The counters of the origin of the sign-in. */
  readonly own: readonly Counter[];
  /** Whether the browser is known for one of the users with the e-mail. */
  readonly isKnown: boolean;
  /** The reason for leaving out a user with a known browser. It is the answer if no other user has the password. */
  readonly refusal: DomainError | undefined;
};

/**
 * Decides which users' passwords may be checked. For a user who has signed in with this browser before, the browser's own counter decides;
 * otherwise the counters of unknown browsers. The distinction is by user, not by e-mail, because another client may have a user with the
 * same e-mail.
 * @throws MustWait `USER_LOCKED`, `TOO_MANY_SIGN_INS` if no user's password may be checked
 */
export async function admit(
  desk: SignInDesk,
  users: readonly Candidate[],
  sent: { readonly email: string; readonly clientId: string | undefined; readonly address: string },
): Promise<Admitted> {
  const known = users.filter(({ deviceId }) => deviceId !== null);
  const { here, everywhere } = unknownBrowserCounters(sent);
  const byDevice = known.map((user) => ({ user, counter: deviceCounter(user, user.deviceId!) }));
  const gates = byDevice.map(async ({ user, counter }) => ({
    users: [user],
    own: [counter],
    taken: await takeAttempts(desk, [counter]),
  }));
  // Unknown browsers are counted even if the browser is known for every found user; otherwise the remaining attempts would reveal whether
  // there are others.
  if (known.length === 0 || sent.clientId === undefined) gates.push(strangers());

  async function strangers() {
    await desk.throttle.requireRoom(sent.address);
    const others = users.filter(({ deviceId }) => deviceId === null);
    return { users: others, own: [here], taken: await takeAttempts(desk, [here, everywhere]) };
  }

  const passed = await Promise.allSettled(gates);
  const open = passed.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const refusals = passed.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const unforeseen = refusals.find((reason) => !(reason instanceof TooManyRequests));
  const shortest = (refusals as TooManyRequests[]).toSorted((a, b) => a.retryAfter - b.retryAfter)[0];
  if (unforeseen !== undefined || open.length === 0) throw unforeseen ?? shortest;
  const deviceRefusal = passed.slice(0, known.length).find((each) => each.status === 'rejected');
  return {
    users: open.flatMap((each) => each.users),
    taken: open.map((each) => each.taken),
    own: open.flatMap((each) => each.own),
    isKnown: known.length > 0,
    refusal: deviceRefusal?.reason as TooManyRequests | undefined,
  };
}

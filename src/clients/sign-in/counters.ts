import { sentence } from '../../kernel/sentence.ts';
import { networkOf } from '../credentials/credential-throttle.ts';
import { type Counter, NOBODY, type AttemptLimits } from './attempts.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The limit of attempts from one origin. */
const HERE: AttemptLimits = { free: 5, firstWait: 10 * SECOND, longestWait: 5 * MINUTE, forgetAfter: 60 * MINUTE };

/**
 * The limit of attempts from all unknown browsers together: about thirty an hour, from any number of machines. The longest wait is shorter,
 * because a person with a new browser waits for it too.
 */
const EVERYWHERE: AttemptLimits = {
  free: 20,
  firstWait: 2 * SECOND,
  longestWait: 2 * MINUTE,
  forgetAfter: 60 * MINUTE,
};

/**
 * The limit of passwords that one user may choose. Without it, a user with the same e-mail in another client could set guesses as the
 * password there, and learn from sign-ins whether the other user has the same password.
 */
const CHOSEN: AttemptLimits = { free: 5, firstWait: MINUTE, longestWait: 15 * MINUTE, forgetAfter: 24 * 60 * MINUTE };

/** The limit of codes of a second factor: an attacker with the password has about a hundred guesses a day, out of a million codes. */
const CODES: AttemptLimits = {
  free: 5,
  firstWait: 10 * SECOND,
  longestWait: 15 * MINUTE,
  forgetAfter: 24 * 60 * MINUTE,
  refusal: (until) =>
    sentence`Too many wrong codes were sent for this user. Try again after ${until}, or with a browser that has signed in before, or ask an administrator to reset the second factor.`,
};

/**
 * The counters of an unknown browser. They depend only on the request, never on stored data, so that they do not reveal existing e-mails or
 * clients.
 */
export function unknownBrowserCounters(sent: { email: string; clientId: string | undefined; address: string }) {
  const subject = unknownBrowserSubject(sent.email, sent.clientId);
  const here: Counter = { clientId: NOBODY, subject, source: `network ${networkOf(sent.address)}`, pace: HERE };
  const everywhere: Counter = { clientId: NOBODY, subject, source: 'everywhere', pace: EVERYWHERE };
  return { here, everywhere };
}

/** The subject of attempts from unknown browsers: an e-mail, with or without a client. */
export function unknownBrowserSubject(email: string, clientId: string | undefined): string {
  return `${clientId ?? 'any client'} ${email}`;
}

/** The counter of a known browser of a user. */
export function deviceCounter({ clientId, id }: { clientId: string; id: string }, deviceId: string): Counter {
  return { clientId, subject: id, source: `device ${deviceId}`, pace: HERE };
}

/** The counter of the present passwords that a session sends to change its password. */
export function presentPasswordCounter({ clientId, id }: { clientId: string; id: string }): Counter {
  return { clientId, subject: id, source: 'present password', pace: HERE };
}

/** The counter of a user's chosen passwords. */
export function chosenPasswordCounter({ clientId, id }: { clientId: string; id: string }): Counter {
  return { clientId, subject: id, source: 'chosen password', pace: CHOSEN };
}

/** The counter of codes sent with the correct password: separate for a known browser, so that the owner can still sign in. */
export function secondFactorCounter(
  { clientId, id }: { clientId: string; id: string },
  deviceId: string | null,
): Counter {
  return { clientId, subject: id, source: `second factor ${deviceId ?? 'elsewhere'}`, pace: CODES };
}

/** The counter of the codes that a session sends to change its second factor. */
export function ownSecondFactorCounter(user: { clientId: string; id: string }): Counter {
  return secondFactorCounter(user, 'own session');
}

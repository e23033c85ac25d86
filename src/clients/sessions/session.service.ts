import type { SessionService } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { channelKey } from '../../kernel/concurrency/channel.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import type { NewLimiter } from '../../kernel/concurrency/limiter.ts';
import { beginSecondFactor } from '../second-factor/begin-second-factor.ts';
import { confirmSecondFactor } from '../second-factor/confirm-second-factor.ts';
import { disableSecondFactor } from '../second-factor/disable-second-factor.ts';
import { changePassword } from './change-password.ts';
import { type CookieContext, cookieSite } from './cookies.ts';
import { endSession } from './end-session.ts';
import { listSessions } from './list-sessions.ts';
import { getSession } from './get-session.ts';
import { listSignInMethods, type OidcMethod } from '../sign-in/list-sign-in-methods.ts';
import { refreshSession } from './refresh-session.ts';
import { signInThrottle } from '../sign-in/sign-in-throttle.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { signOut } from './sign-out.ts';
import type { Call, Handlers } from '../call.ts';

/** The settings of sessions. */
export type SessionOptions = {
  /** The sign-in by a provider, if configured. */
  readonly oidc?: OidcMethod | undefined;
  /** Whether a session may begin over plain http from another machine. Default false. */
  readonly insecureCookies?: boolean | undefined;
  /** Creates the counters of failures by address; if left out, they count in this process alone. */
  readonly newLimiter?: NewLimiter | undefined;
  /** Encrypts the secrets of second factors. */
  readonly secrets: SecretBox;
};

/** The operations of signing in to the console and out of it. */
export function sessionService(clock: Clock, { oidc, insecureCookies = false, newLimiter, secrets }: SessionOptions) {
  const throttle = signInThrottle(clock, 'PASSWORD', newLimiter);
  const cookies = ({ context: { requestHeader, responseHeader, values } }: Call): CookieContext => ({
    requestHeader,
    responseHeader,
    site: cookieSite(values.get(channelKey)(), insecureCookies),
  });
  return {
    signIn: (call, request) => signIn(call, request, { throttle, secrets, cookies: cookies(call) }),
    refreshSession: (call) => refreshSession(call, cookies(call)),
    signOut: (call) => signOut(call, cookies(call)),
    getSession,
    changePassword,
    beginSecondFactor: (call, request) => beginSecondFactor(call, request, secrets),
    confirmSecondFactor: (call, request) => confirmSecondFactor(call, request, secrets),
    disableSecondFactor: (call, request) => disableSecondFactor(call, request, secrets),
    listSessions,
    endSession,
    listSignInMethods: (call) => listSignInMethods(cookies(call), oidc),
  } satisfies Handlers<typeof SessionService>;
}

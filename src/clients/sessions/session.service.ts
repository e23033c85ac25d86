import type { SessionService } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { channelKey } from '../../kernel/channel.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { NewLimiter } from '../../kernel/limiter.ts';
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

/** What the sessions follow of the configuration. */
export type SessionOptions = {
  /** The way by a provider, if there is one. */
  readonly oidc?: OidcMethod | undefined;
  /** Whether a session may begin over plain http from another machine. Default false. */
  readonly insecureCookies?: boolean | undefined;
  /** Makes what counts failures by address; in this process alone if left out. */
  readonly newLimiter?: NewLimiter | undefined;
};

/** Signing in to the console and out of it. */
export function sessionService(clock: Clock, { oidc, insecureCookies = false, newLimiter }: SessionOptions = {}) {
  const throttle = signInThrottle(clock, 'PASSWORD', newLimiter);
  const cookies = ({ context: { requestHeader, responseHeader, values } }: Call): CookieContext => ({
    ...{ requestHeader, responseHeader, site: cookieSite(values.get(channelKey)(), insecureCookies) },
  });
  return {
    signIn: (call, request) => signIn(call, request, { throttle, cookies: cookies(call) }),
    refreshSession: (call) => refreshSession(call, cookies(call)),
    signOut: (call) => signOut(call, cookies(call)),
    getSession,
    changePassword,
    listSessions,
    endSession,
    listSignInMethods: (call) => listSignInMethods(cookies(call), oidc),
  } satisfies Handlers<typeof SessionService>;
}

import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { SessionService } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { callerAddress } from '../../kernel/caller-address.ts';
import { channelKey } from '../../kernel/channel.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { principalOf } from '../principal.ts';
import { changePassword } from './change-password.ts';
import { type CookieContext, cookieSite } from './cookies.ts';
import { getSession } from './get-session.ts';
import { listSignInMethods, type OidcMethod } from '../sign-in/list-sign-in-methods.ts';
import { refreshSession } from './refresh-session.ts';
import { signInThrottle } from '../sign-in/sign-in-throttle.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { signOut } from './sign-out.ts';

/** What the sessions follow of the configuration. */
export type SessionOptions = {
  /** The way by a provider, if there is one. */
  readonly oidc?: OidcMethod | undefined;
  /** Whether a session may begin over plain http from another machine. Default false. */
  readonly insecureCookies?: boolean | undefined;
};

/** Signing in to the console and out of it. */
export function sessionService(db: Database, clock: Clock, { oidc, insecureCookies = false }: SessionOptions = {}) {
  const desk = { db, clock, throttle: signInThrottle(clock) };
  const cookies = ({ requestHeader, responseHeader, values }: HandlerContext): CookieContext => ({
    ...{ requestHeader, responseHeader, site: cookieSite(values.get(channelKey)(), insecureCookies) },
  });
  return {
    signIn: (request, context) => signIn(desk, request, { ...cookies(context), address: callerAddress(context) }),
    refreshSession: (_request, context) => refreshSession(desk, cookies(context)),
    signOut: (_request, context) => signOut(desk, cookies(context)),
    getSession: (_request, context) => getSession(db, principalOf(context)),
    changePassword: (request, context) => changePassword(desk, principalOf(context), request),
    listSignInMethods: (_request, context) => listSignInMethods(oidc, cookies(context)),
  } satisfies ServiceImpl<typeof SessionService>;
}

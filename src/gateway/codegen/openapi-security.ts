import type { DescMethod } from '@bufbuild/protobuf';
import type { PermissionExtensions } from '../route.ts';
import { neededPermission, readSessionCookie, tokenPermission } from './needed-permission.ts';

type Requirement = Readonly<Record<string, readonly string[]>>;

/** The authentication schemes, for `components`. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, or an access token where the operation asks for one.',
  },
  accountToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token of `POST /v1/account-tokens`, for its own account: `me` in a path.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-laurel_session',
    description: 'The session of a browser, which signing in sets. It renews and ends the session, and nothing else.',
  },
  sessionCookieWithoutTls: {
    type: 'apiKey',
    in: 'cookie',
    name: 'laurel_session',
    description:
      'The same where there is no TLS: on the same machine, and in networks where LAUREL_INSECURE_COOKIES allows it.',
  },
} as const;

/** The security of most operations. */
export const security: readonly Requirement[] = [{ bearer: [] }];

/** The alternatives of an operation's security; undefined for the default. */
export function securityOf(rpc: DescMethod, options: PermissionExtensions): readonly Requirement[] | undefined {
  const cookie = readSessionCookie(rpc, options);
  const cookies: readonly Requirement[] = [{ sessionCookie: [] }, { sessionCookieWithoutTls: [] }];
  if (cookie === 'NEEDED') return cookies;
  if (cookie === 'TAKEN') return [...cookies, ...security, {}];
  if (tokenPermission(rpc, options) !== undefined) return [...security, { accountToken: [] }];
  return neededPermission(rpc, options) === 'ANYONE' ? [] : undefined;
}

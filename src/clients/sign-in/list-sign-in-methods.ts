import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ListSignInMethodsResponseSchema,
  SignInMethod_Kind,
} from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { type CookieContext, cookieOf } from '../sessions/cookies.ts';
import type { OidcSignIn } from './oidc.ts';

/** The provider for sign-ins, the choices in its cookie, and the path of this service where a sign-in begins. */
export type OidcMethod = Pick<OidcSignIn, 'provider' | 'choicesIn'> & { readonly startPath: string };

/** The cookie with the clients from which a person must choose. */
export const CHOICES_COOKIE = 'laurel_choices';

/** Lists the ways to sign in: proto SessionService.ListSignInMethods. */
export async function listSignInMethods(
  cookies: Omit<CookieContext, 'responseHeader'>,
  oidc: OidcMethod | undefined,
): Promise<MessageInitShape<typeof ListSignInMethodsResponseSchema>> {
  const password = { kind: SignInMethod_Kind.PASSWORD };
  if (oidc === undefined) return { methods: [password] };
  const { startPath, provider, choicesIn } = oidc;
  const choices = await choicesIn(cookieOf(cookies, CHOICES_COOKIE));
  return { methods: [password, { kind: SignInMethod_Kind.OIDC, startPath, provider, choices }] };
}

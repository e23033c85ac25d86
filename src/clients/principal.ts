import { type ContextKey, type ContextValues, createContextKey } from '@connectrpc/connect';
import type { Actor } from '../audit/actor.ts';
import type { TokenPermission } from './account-tokens/token-claims.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';

/** The role of a credential or a user: see `permissions.ts`. */
export type Role = 'INTEGRATOR' | UserRole;

/** The role of a caller: of its credential or user, or ACCOUNT with an account token, which has no permission of any role. */
export type CallerRole = Role | 'ACCOUNT';

/** The account of an account token, and what the token permits: `AccountTokenUse` in `laurel/auth/v1/options.proto`. */
export type TokenAccount = {
  readonly id: string;
  readonly permissions: readonly TokenPermission[];
  readonly eventCodes: readonly string[];
  /** The token, for a later look at its validity: its key, and milliseconds since 1970. */
  readonly token: { readonly keyId: string; readonly issuedAt: number; readonly expiresAt: number };
};

/** The roles of people. */
export type UserRole = 'VIEWER' | 'SUPPORT' | 'MARKETER' | 'CLIENT_ADMIN' | 'SERVICE_ADMIN';

/** The caller. Every row that the call reads or writes belongs to `clientId`. */
export type Principal = {
  /** The client of the call: the credential's own, or the one in a SERVICE_ADMIN's header `Laurel-Client-Id`. */
  readonly clientId: string;
  readonly credentialId: string;
  readonly role: CallerRole;
  /** The author in the audit log; absent in calls from inside the process, which belong to the command line. */
  readonly actor?: Actor | undefined;
  /** The client of the credential if it acts for another one; otherwise `clientId` is that client. */
  readonly ownClientId?: string | undefined;
  /** The person signed in with a password from an administrator and may only replace it. */
  readonly passwordChangeRequired?: boolean | undefined;
  /** The client of the call, or the caller's own, requires a second factor that this person has not set up. */
  readonly secondFactorSetupRequired?: boolean | undefined;
  /** The caller has an account token, and calls for this account alone. */
  readonly account?: TokenAccount | undefined;
};

/** Whether the caller is a person with a console session, not a system with a key or token. */
export function isPerson({ actor }: Pick<Principal, 'actor'>): boolean {
  return actor?.type === 'USER';
}

/** The server stores the principal under this key before a handler runs. */
export const principalKey: ContextKey<Principal | undefined> = createContextKey<Principal | undefined>(undefined, {
  description: 'principal',
});

/**
 * The principal of a call.
 * @throws DomainError unauthenticated if a public operation was called without a credential
 */
export function principalOf(context: { readonly values: ContextValues }): Principal {
  const principal = context.values.get(principalKey);
  if (principal === undefined) throw missingCredential();
  return principal;
}

/** The 401 of a call without any credential. */
export function missingCredential(): DomainError {
  return new DomainError(
    'UNAUTHENTICATED',
    'No credential was sent. Send the header `Authorization: Bearer <API_KEY>`.',
  );
}

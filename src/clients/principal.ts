import { type ContextKey, type ContextValues, createContextKey } from '@connectrpc/connect';
import type { Actor } from '../audit/actor.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';

/** The role of a credential or a user: see `permissions.ts`. */
export type Role = 'INTEGRATOR' | UserRole;

/** The roles that people may have. */
export type UserRole = 'VIEWER' | 'SUPPORT' | 'MARKETER' | 'CLIENT_ADMIN' | 'SERVICE_ADMIN';

/** Who makes a call. Every row that the call reads or writes belongs to `clientId`. */
export type Principal = {
  /** The client acted for: the credential's own, or the one a SERVICE_ADMIN names in the header `Laurel-Client-Id`. */
  readonly clientId: string;
  readonly credentialId: string;
  readonly role: Role;
  /** Whom the audit log names; absent in calls from inside the process, which are the command line's. */
  readonly actor?: Actor | undefined;
  /** The client that the credential belongs to, where it may act for another; else it is `clientId`. */
  readonly ownClientId?: string | undefined;
  /** Anyone who signed in with an administrator's password may do nothing but replace it. */
  readonly passwordChangeRequired?: boolean | undefined;
  /** The client acted for, or the caller's own, requires a second factor that this person has yet to set up. */
  readonly secondFactorSetupRequired?: boolean | undefined;
};

/** Whether the caller is a person, signed in to the console, and not a system with a key or token. */
export function isPerson({ actor }: Pick<Principal, 'actor'>): boolean {
  return actor?.type === 'USER';
}

/** Where the server puts the principal before a handler runs. */
export const principalKey: ContextKey<Principal | undefined> = createContextKey<Principal | undefined>(undefined, {
  description: 'principal',
});

/**
 * The principal of a call.
 * @throws DomainError unauthenticated if the operation is public and was called without a credential
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

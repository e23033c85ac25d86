import { Role as RoleNumber } from '../../gen/laurel/auth/v1/options_pb.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { told, type Told } from '../kernel/told.ts';
import type { Principal, Role } from './principal.ts';

/** What somebody may do. Operations ask for these, and never whether one role is above another. */
export type Permission =
  /** Send events, read and write accounts, redeem: what an integrator's backend does for its users. */
  | 'INTEGRATE'
  /** Keep a client's campaigns, rewards, webhooks, credentials and users. */
  | 'ADMINISTER_CLIENT'
  /** See a code whole that people otherwise see masked. */
  | 'REVEAL_CODES'
  /** Create clients and list them. */
  | 'ADMINISTER_SERVICE'
  /** Name another client in the header `Laurel-Client-Id`, and see any client. */
  | 'ACT_FOR_ANY_CLIENT';

/** What each role may do. The only place that says so; a role may lack what another one has, and have what that one lacks. */
const PERMISSIONS: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  INTEGRATOR: new Set(['INTEGRATE']),
  CLIENT_ADMIN: new Set(['INTEGRATE', 'ADMINISTER_CLIENT', 'REVEAL_CODES']),
  SERVICE_ADMIN: new Set([
    ...(['INTEGRATE', 'ADMINISTER_CLIENT', 'REVEAL_CODES'] as const),
    ...(['ADMINISTER_SERVICE', 'ACT_FOR_ANY_CLIENT'] as const),
  ]),
};

/** What the role that an operation states in its proto stands for. */
const STATED: Partial<Record<RoleNumber, Permission>> = {
  [RoleNumber.INTEGRATOR]: 'INTEGRATE',
  [RoleNumber.CLIENT_ADMIN]: 'ADMINISTER_CLIENT',
};

/** The permission that an operation needs whose proto states `role`. Not for PUBLIC, which needs none. */
export function permissionOf(role: RoleNumber): Permission {
  return STATED[role] ?? 'ADMINISTER_SERVICE';
}

/** Whether the holder of a role may do something. */
export function may({ role }: Pick<Principal, 'role'>, permission: Permission): boolean {
  return PERMISSIONS[role].has(permission);
}

/**
 * Call it in an operation that needs more than the permission that its proto states.
 * @param what finishes "Your role may not ..." in the message, for example `reveal codes`
 * @throws DomainError `FORBIDDEN`
 */
export function requirePermission(principal: Pick<Principal, 'role'>, permission: Permission, what: string): void {
  if (may(principal, permission)) return;
  throw new DomainError('FORBIDDEN', `Your role ${principal.role} may not ${what}. Ask an administrator to do this.`);
}

/**
 * Whether a caller may make, change or take away what has the role `target`: only if the caller may do all that the target
 * may. It holds for the caller's own role, whichever client it acts for.
 */
export function mayActOn({ role }: Pick<Principal, 'role'>, target: Role): boolean {
  return PERMISSIONS[target].isSubsetOf(PERMISSIONS[role]);
}

/**
 * Call it in every operation on a credential or a user: with the role that the target has, and with the one that it gets.
 * @param what names the target in the message, for example told`This credential`
 * @throws DomainError `FORBIDDEN`
 */
export function requireMayActOn(principal: Pick<Principal, 'role'>, target: Role, what: Told): void {
  if (mayActOn(principal, target)) return;
  throw new DomainError(
    'FORBIDDEN',
    told`${what} has the role ${target}, which may do what your role ${principal.role} may not. Ask a holder of ${target} to do this.`,
  );
}

import { Permission as PermissionNumber, Role as RoleNumber } from '../../gen/laurel/auth/v1/options_pb.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../kernel/sentence.ts';
import type { CallerRole, Principal, Role, UserRole } from './principal.ts';

/** The permissions, each explained in `laurel/auth/v1/options.proto`. Operations check permissions, never roles. */
export type Permission = Exclude<keyof typeof PermissionNumber, 'PERMISSION_UNSPECIFIED' | 'ANYONE'>;

/** The permissions of all console users. */
const LOOKING_ON = ['OWN_SESSION', 'READ_ACCOUNTS', 'READ_CLIENT'] as const;

/** The permissions of an integrator's backend. */
const INTEGRATING = [
  'READ_ACCOUNTS',
  'ACT_FOR_ACCOUNTS',
  'SEND_EVENTS',
  'ASSIGN_AUDIENCES',
  'PUBLISH',
  'MERGE_ACCOUNTS',
  'ISSUE_TOKENS',
] as const;

const SUPPORTING = [
  ...LOOKING_ON,
  'ACT_FOR_ACCOUNTS',
  'ASSIGN_AUDIENCES',
  'SUPPORT_ACCOUNTS',
  'MERGE_ACCOUNTS',
  'REVEAL_CODES',
  'RESEND',
] as const;

const MARKETING = [
  ...LOOKING_ON,
  'KEEP_CAMPAIGNS',
  'KEEP_REWARDS',
  'KEEP_AUDIENCES',
  'ASSIGN_AUDIENCES',
  'PUBLISH',
  'IMPORT',
] as const;

const ADMINISTERING = [
  ...new Set([...INTEGRATING, ...SUPPORTING, ...MARKETING]),
  'EXPORT',
  'KEEP_WEBHOOKS',
  'KEEP_CREDENTIALS',
  'KEEP_USERS',
  'KEEP_CLIENT',
  'BACKFILL',
] as const;

/**
 * The permissions of each role; only this record defines them. Roles are not ordered: each may have permissions that
 * another lacks.
 */
const PERMISSIONS: Readonly<Record<CallerRole, ReadonlySet<Permission>>> = {
  ACCOUNT: new Set(),
  INTEGRATOR: new Set(INTEGRATING),
  VIEWER: new Set(LOOKING_ON),
  SUPPORT: new Set(SUPPORTING),
  MARKETER: new Set(MARKETING),
  CLIENT_ADMIN: new Set(ADMINISTERING),
  SERVICE_ADMIN: new Set([...ADMINISTERING, 'ADMINISTER_SERVICE', 'ACT_FOR_ANY_CLIENT']),
};

/** The roles of people, in ascending order of permissions. */
export const USER_ROLES = [
  'VIEWER',
  'SUPPORT',
  'MARKETER',
  'CLIENT_ADMIN',
  'SERVICE_ADMIN',
] as const satisfies readonly UserRole[];

/** The role of a user in an API request; CLIENT_ADMIN if unspecified. */
export function userRoleOf(role: RoleNumber): UserRole {
  return USER_ROLES.find((name) => RoleNumber[name] === role) ?? 'CLIENT_ADMIN';
}

/** The permissions of a role as enum values, by their numbers. */
export function permissionsOf({ role }: Pick<Principal, 'role'>): PermissionNumber[] {
  return [...PERMISSIONS[role]].map((permission) => PermissionNumber[permission]).toSorted((a, b) => a - b);
}

/** The permission for the option `permission` of an operation. ANYONE must not be passed. */
export function permissionOf(permission: PermissionNumber): Permission {
  return BY_NUMBER.get(permission) ?? 'ADMINISTER_SERVICE';
}

const { PERMISSION_UNSPECIFIED: _unstated, ANYONE: _anyone, ...HELD } = PermissionNumber;

const BY_NUMBER: ReadonlyMap<PermissionNumber, Permission> = new Map(
  Object.entries(HELD).map(([name, number]) => [number, name as Permission]),
);

/** Whether a role has a permission. */
export function hasPermission({ role }: Pick<Principal, 'role'>, permission: Permission): boolean {
  return PERMISSIONS[role].has(permission);
}

/**
 * Whether a caller may create, change or remove a credential or user with the role `target`: the caller needs all permissions of the
 * target. The caller's own role counts, even while it acts for another client.
 */
export function canActOn({ role }: Pick<Principal, 'role'>, target: Role): boolean {
  return PERMISSIONS[target].isSubsetOf(PERMISSIONS[role]);
}

/**
 * Every operation on a credential or a user must call it, with the target's present role and with its new one.
 * @param what the target in the message, for example sentence`This credential`
 * @throws DomainError `FORBIDDEN`
 */
export function requireMayActOn(principal: Pick<Principal, 'role'>, target: Role, what: Sentence): void {
  if (canActOn(principal, target)) return;
  throw new DomainError(
    'FORBIDDEN',
    sentence`${what} has the role ${target}, which may do what your role ${principal.role} may not. Ask a holder of ${target} to do this.`,
  );
}

import { Role } from '../../../gen/laurel/auth/v1/options_pb.ts';

/** The roles of users, the one with the fewest permissions first. */
export const userRoles = ['VIEWER', 'SUPPORT', 'MARKETER', 'CLIENT_ADMIN', 'SERVICE_ADMIN'] as const;

/** One of them. */
export type UserRole = (typeof userRoles)[number];

/** The name of a person's role, by which the catalogue has its words. */
export function roleName(role: Role): UserRole {
  return userRoles.find((name) => Role[name] === role) ?? 'CLIENT_ADMIN';
}

import { Role } from '../../../gen/laurel/auth/v1/options_pb.ts';

/**
 * Whether to offer changes and removals of a user or credential. The service decides for itself; this only spares people an action that
 * must fail.
 */
export function canActOn(own: Role, target: Role): boolean {
  return own === Role.SERVICE_ADMIN || target !== Role.SERVICE_ADMIN;
}

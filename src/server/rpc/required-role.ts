import { type DescMethod, type DescService, getOption } from '@bufbuild/protobuf';
import { method_role, Role, service_role } from '../../../gen/laurel/auth/v1/options_pb.ts';

/**
 * Tells the role that a method states, and with it the permission that it needs: what the method's proto states, else `registered`, else what the service's
 * proto states. A method of which nobody stated a role needs SERVICE_ADMIN: forgetting the option closes, not opens.
 */
export function requiredRoles(registered: ReadonlyMap<DescService, Role>): (method: DescMethod) => Role {
  // Finding an extension decodes it again each time, and this is asked for every call.
  const known = new Map<DescMethod, Role>();
  return (method) => {
    const role = known.get(method) ?? statedRole(method, registered.get(method.parent));
    known.set(method, role);
    return role;
  };
}

function statedRole(method: DescMethod, registered: Role | undefined): Role {
  const stated = [getOption(method, method_role), registered, getOption(method.parent, service_role)];
  return stated.find((role) => role !== undefined && role !== Role.ROLE_UNSPECIFIED) ?? Role.SERVICE_ADMIN;
}

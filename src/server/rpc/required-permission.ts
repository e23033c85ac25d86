import { type DescMethod, type DescService, getOption } from '@bufbuild/protobuf';
import { method_permission, Permission, service_permission } from '../../../gen/laurel/auth/v1/options_pb.ts';

/**
 * Tells the permission that a method needs: what the method's proto states, else `registered`, else what the service's
 * proto states. A method of which nobody stated one needs ADMINISTER_SERVICE: forgetting the option closes, not opens.
 */
export function requiredPermissions(
  registered: ReadonlyMap<DescService, Permission> = new Map(),
): (method: DescMethod) => Permission {
  // Finding an extension decodes it again each time, and this is asked for every call.
  const known = new Map<DescMethod, Permission>();
  return (method) => {
    const permission = known.get(method) ?? statedPermission(method, registered.get(method.parent));
    known.set(method, permission);
    return permission;
  };
}

function statedPermission(method: DescMethod, registered: Permission | undefined): Permission {
  const stated = [getOption(method, method_permission), registered, getOption(method.parent, service_permission)];
  return stated.find((each) => each !== undefined && each !== UNSTATED) ?? Permission.ADMINISTER_SERVICE;
}

const UNSTATED = Permission.PERMISSION_UNSPECIFIED;

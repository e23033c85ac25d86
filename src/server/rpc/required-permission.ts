import { type DescMethod, type DescService, getOption } from '@bufbuild/protobuf';
import { method_permission, Permission, service_permission } from '../../../gen/laurel/auth/v1/options_pb.ts';

/**
 * The permission of a method: that of the method's proto, else `registered`, else that of the service's proto. A method without any needs
 * ADMINISTER_SERVICE, so that a forgotten option closes and does not open it.
 */
export function requiredPermissions(
  registered: ReadonlyMap<DescService, Permission> = new Map(),
): (method: DescMethod) => Permission {
  // Each look-up of an extension decodes it again, and every call needs one.
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

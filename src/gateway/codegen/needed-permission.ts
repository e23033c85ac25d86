import { type DescEnum, type DescMethod, getOption } from '@bufbuild/protobuf';
import type { PermissionExtensions } from '../route.ts';

/** The name of the permission that an operation states; undefined where it states none, or where anyone may call it. */
export function neededPermission(
  rpc: DescMethod,
  { methodPermission, servicePermission }: PermissionExtensions,
): string | undefined {
  if (methodPermission === undefined || servicePermission === undefined) return undefined;
  const own = getOption(rpc, methodPermission) as number;
  const number = own === 0 ? (getOption(rpc.parent, servicePermission) as number) : own;
  const { enum: permissions } = methodPermission as { readonly enum?: DescEnum };
  const name = permissions?.value[number]?.name;
  return number === 0 || name === 'ANYONE' ? undefined : name;
}

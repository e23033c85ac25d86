import { type DescEnum, type DescExtension, type DescMethod, getOption } from '@bufbuild/protobuf';
import type { PermissionExtensions } from '../route.ts';

/** The name of an operation's permission, possibly `ANYONE`; undefined without one. */
export function neededPermission(
  rpc: DescMethod,
  { methodPermission, servicePermission }: PermissionExtensions,
): string | undefined {
  if (methodPermission === undefined || servicePermission === undefined) return undefined;
  const own = getOption(rpc, methodPermission) as number;
  const number = own === 0 ? (getOption(rpc.parent, servicePermission) as number) : own;
  return number === 0 ? undefined : valueName(methodPermission, number);
}

/** The use of the session cookie by an operation: `NEEDED` or `TAKEN`; undefined if it reads none. */
export function readSessionCookie(rpc: DescMethod, { sessionCookie }: PermissionExtensions): string | undefined {
  const number = sessionCookie === undefined ? 0 : (getOption(rpc, sessionCookie) as number);
  return sessionCookie === undefined || number === 0 ? undefined : valueName(sessionCookie, number);
}

function valueName(extension: DescExtension, number: number): string | undefined {
  return (extension as { readonly enum?: DescEnum }).enum?.value[number]?.name;
}

import {
  type DescEnum,
  type DescExtension,
  type DescMessage,
  type DescMethod,
  getOption,
  hasOption,
} from '@bufbuild/protobuf';
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

/** The permission that an account token needs for an operation; undefined if none may call it. */
export function tokenPermission(rpc: DescMethod, { accountToken }: PermissionExtensions): string | undefined {
  if (accountToken === undefined || !hasOption(rpc, accountToken)) return undefined;
  const { permission } = getOption(rpc, accountToken) as { readonly permission: number };
  const field = (accountToken as { readonly message?: DescMessage }).message?.field['permission'];
  return permission === 0 ? undefined : field?.enum?.value[permission]?.name;
}

function valueName(extension: DescExtension, number: number): string | undefined {
  return (extension as { readonly enum?: DescEnum }).enum?.value[number]?.name;
}

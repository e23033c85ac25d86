import type { ReactNode } from 'react';
import type { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { useSession } from './session-context.tsx';

/** Tells what the role of who is signed in allows. The service decides for itself; this only spares people what must fail. */
export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useSession();
  return (permission) => permissions.includes(permission);
}

/** Shows what needs a permission to those who hold it, and nothing to others. */
export function Allowed({ to, children }: { readonly to: Permission; readonly children: ReactNode }) {
  const may = useMay();
  return may(to) ? children : null;
}

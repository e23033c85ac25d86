import type { ReactNode } from 'react';
import type { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { useSession } from './session-context.tsx';

/** Checks a permission of the signed-in user's role. The service decides; this only hides actions that would fail. */
export function useAllowed(): (permission: Permission) => boolean {
  const { permissions } = useSession();
  return (permission) => permissions.includes(permission);
}

/** Shows its content only to users with a permission. */
export function Allowed({ to, children }: { readonly to: Permission; readonly children: ReactNode }) {
  const may = useAllowed();
  return may(to) ? children : null;
}

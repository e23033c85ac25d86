import { Navigate, Outlet, useLocation } from 'react-router';
import { ShellSkeleton } from '../shell/shell-skeleton.tsx';
import { useSessionState } from './session-context.tsx';
import { signInPath } from './sign-in-path.ts';

/** Lets only signed-in people on; others go to the sign-in and come back to the address they asked for. */
export function RequireSession() {
  const state = useSessionState();
  const location = useLocation();
  if (state.kind === 'starting') return <ShellSkeleton />;
  if (state.kind === 'signedOut') {
    const from = `${location.pathname}${location.search}`;
    return <Navigate to={signInPath(from, state.expired)} replace />;
  }
  if (state.session.user?.passwordChangeRequired === true && location.pathname !== '/change-password') {
    return <Navigate to="/change-password" replace />;
  }
  // Another client is another world: nothing of the former one's pages may stay on the screen.
  return <Outlet key={state.session.client?.id} />;
}

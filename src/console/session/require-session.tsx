import { Activity, lazy, Suspense, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { unsavedWork, useUnsavedWork } from '../form/unsaved-work.ts';
import { ShellSkeleton } from '../shell/shell-skeleton.tsx';
import { clientIn } from './client-address.ts';
import { OtherClient } from './other-client.tsx';
import { useSessionState } from './session-context.tsx';
import { askedSearch, forgetAsked, keepAsked, signInPath } from './sign-in-path.ts';

const loadSignIn = () => import('../pages/sign-in/sign-in-again.tsx');

const SetUpFirst = lazy(async () => ({ default: (await import('../pages/sign-in/set-up-first.tsx')).SetUpFirst }));

const SignInAgain = lazy(async () => ({ default: (await loadSignIn()).SignInAgain }));

/**
 * Lets only signed-in people on; others go to the sign-in and come back to the address they asked for. The address names
 * the client: where it is not the one that this tab works for, the tab changes over first. A session that ends while pages
 * are open is begun again in front of them, so that what was entered there is not lost; so is a second factor set up that the
 * client requires.
 */
export function RequireSession() {
  const state = useSessionState();
  const location = useLocation();
  const signedIn = state.kind === 'signedIn';
  // Recovery codes are shown this once: they stay, whatever the service says meanwhile.
  const [showsCodes, setShowsCodes] = useState(false);
  useEffect(() => {
    if (!signedIn) return;
    forgetAsked();
    // Fetched while the service answers: it is needed when something has ended.
    void loadSignIn().catch(() => undefined);
  }, [signedIn]);

  if (state.kind === 'starting') return <ShellSkeleton />;
  const session = state.session;
  if (session === undefined) return <ToSignIn location={location} left={state.kind === 'signedOut' && state.left} />;
  const asked = signedIn ? askedSearch(location.pathname) : undefined;
  if (asked !== undefined && asked !== location.search) {
    return <Navigate to={{ pathname: location.pathname, search: asked }} replace />;
  }
  if (session.user?.passwordChangeRequired === true && location.pathname !== '/change-password') {
    return <Navigate to="/change-password" replace />;
  }
  const clientId = clientIn(location.search);
  // Every address of the router contains the client.
  if (clientId === null) return <Navigate to={location} replace />;
  if (clientId !== session.client?.id) return <OtherClient key={clientId} clientId={clientId} />;
  const setsUp = signedIn && (session.secondFactorSetupRequired || showsCodes);
  const isOpen = signedIn && !setsUp;
  return (
    <>
      <Activity mode={isOpen ? 'visible' : 'hidden'}>
        {/* Another client or person is another world: no data of the former one may stay on the screen. */}
        <Outlet key={`${session.user?.id} ${clientId}`} />
      </Activity>
      <LeaveGuard />
      {!isOpen && (
        <>
          <StillUnsaved />
          <Suspense fallback={<ShellSkeleton />}>
            {setsUp ? <SetUpFirst onCodes={setShowsCodes} /> : <SignInAgain />}
          </Suspense>
        </>
      )}
    </>
  );
}

/** Hidden pages have no unsaved input themselves; the guard still asks about the input at the end of the session. */
function StillUnsaved() {
  const [kind] = useState(unsavedWork);
  useUnsavedWork(kind);
  return null;
}

/** To the sign-in, which leads back here unless the person has just left. */
function ToSignIn({ location, left }: { readonly location: ReturnType<typeof useLocation>; readonly left: boolean }) {
  useEffect(() => {
    if (!left) keepAsked(location);
  }, [left, location]);
  return <Navigate to={left ? '/sign-in' : signInPath(location)} replace />;
}

import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { Session } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import type { SessionKeeper, SessionState } from './session-keeper.ts';

const KeeperContext = createContext<SessionKeeper | undefined>(undefined);

/** Hands the keeper to everything below. */
export function SessionProvider({
  keeper,
  children,
}: {
  readonly keeper: SessionKeeper;
  readonly children: ReactNode;
}) {
  return <KeeperContext value={keeper}>{children}</KeeperContext>;
}

/** The keeper of this page: sign in, sign out, act for another client. */
export function useSessionKeeper(): SessionKeeper {
  const keeper = useContext(KeeperContext);
  if (keeper === undefined) throw new Error('This component stands outside SessionProvider.');
  return keeper;
}

/** The session state of this tab; it renders again after a change. */
export function useSessionState(): SessionState {
  const keeper = useSessionKeeper();
  return useSyncExternalStore(keeper.subscribe, keeper.state);
}

/** The signed-in user, or the last one after the end of a session with open pages. Only for components below RequireSession. */
export function useSession(): Session {
  const state = useSessionState();
  if (state.kind === 'starting' || state.session === undefined)
    throw new Error('This component stands outside RequireSession.');
  return state.session;
}

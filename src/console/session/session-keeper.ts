import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { type Session, SessionService, type SignInChoice } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { isUnauthenticated } from '../api/failure.ts';
import { publicTransport } from '../api/public-transport.ts';

/** The session state of this tab. */
export type SessionState =
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'signedOut';
      /** The session that ended while its pages were open; they wait for the same person to sign in again. */
      readonly session: Session | undefined;
      /** The person has signed out here: pages must not continue. */
      readonly left: boolean;
    }
  | { readonly kind: 'signedIn'; readonly session: Session };

/** Keeps the session of this tab: its token in memory only, and renewed before it expires. */
export type SessionKeeper = {
  readonly state: () => SessionState;
  /** Calls back at every change of the state, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** Continues the session of the browser's cookie, if there is one. */
  start(): Promise<void>;
  /** Signs in. If the user belongs to several clients, it returns them for a choice, without a session. */
  signIn(
    email: string,
    password: string,
    more?: { readonly clientId?: string; readonly secondFactor?: string },
  ): Promise<readonly SignInChoice[]>;
  signOut(): Promise<void>;
  /** Requests a new token with the cookie; resolves to whether it got one. It joins a running renewal. */
  renew(): Promise<boolean>;
  /** Switches to another client, for service administrators. It rejects without a change if that is not possible. */
  actFor(clientId: string): Promise<void>;
  /** Reads the signed-in user again after a change. */
  reload(): Promise<void>;
  /** The credentials of a call: the token, and the client acted for. */
  headers(): Record<string, string>;
};

type Granted = { readonly accessToken?: string; readonly expiresAt?: Timestamp; readonly session?: Session };

/** Milliseconds before its end at which a token is renewed. */
const RENEW_BEFORE = 60_000;

/** Milliseconds after which a renewal that got no answer is tried again. */
const TRY_AGAIN_AFTER = 10_000;

/** Where this tab remembers the client it acts for: no secret, and two tabs may act for two clients. */
const ACTING_FOR = 'laurel.acting-for';

/** The keeper of this page. */
export function createSessionKeeper(): SessionKeeper {
  const client = createClient(SessionService, publicTransport);
  const listeners = new Set<() => void>();
  let state: SessionState = { kind: 'starting' };
  let token = '';
  let timer: number | undefined;
  let renewal: Promise<boolean> | undefined;
  let leaving = false;

  function change(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function headers(): Record<string, string> {
    return headersFor(sessionStorage.getItem(ACTING_FOR));
  }

  function headersFor(clientId: string | null): Record<string, string> {
    return { Authorization: `Bearer ${token}`, ...(clientId !== null && { 'Laurel-Client-Id': clientId }) };
  }

  async function begin({ accessToken = '', expiresAt, session }: Granted): Promise<void> {
    if (session === undefined) return;
    token = accessToken;
    window.clearTimeout(timer);
    if (expiresAt !== undefined) timer = renewAt(timestampMs(expiresAt) - RENEW_BEFORE);
    change({ kind: 'signedIn', session: await asActed(session) });
  }

  /** The answer to a renewal speaks of the user's own client; this tab may act for another. */
  async function asActed(own: Session): Promise<Session> {
    const actingFor = sessionStorage.getItem(ACTING_FOR);
    if (actingFor === null || actingFor === own.ownClientId) return own;
    try {
      return await read(actingFor);
    } catch {
      // The client is gone, or the user may no longer act for it.
      sessionStorage.removeItem(ACTING_FOR);
      return own;
    }
  }

  async function read(clientId = sessionStorage.getItem(ACTING_FOR)): Promise<Session> {
    const { session } = await client.getSession({}, { headers: headersFor(clientId) });
    if (session === undefined) throw new Error('The service did not tell whose session this is.');
    return session;
  }

  function renewAt(time: number): number {
    return window.setTimeout(() => void renew(), Math.max(time - Date.now(), 1_000));
  }

  async function renew(): Promise<boolean> {
    renewal ??= askForToken().finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  async function askForToken(): Promise<boolean> {
    try {
      await begin(await alone(() => client.refreshSession({})));
      return true;
    } catch (error) {
      // A missing answer does not mean the end of the session.
      if (state.kind === 'signedIn' && !isUnauthenticated(error)) timer = renewAt(Date.now() + TRY_AGAIN_AFTER);
      else end(false);
      return false;
    }
  }

  function end(left: boolean): void {
    token = '';
    window.clearTimeout(timer);
    const hasLeft = left || leaving || (state.kind === 'signedOut' && state.left);
    change({
      kind: 'signedOut',
      session: hasLeft || state.kind === 'starting' ? undefined : state.session,
      left: hasLeft,
    });
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start() {
      await renew();
    },
    async signIn(email, password, { clientId, secondFactor } = {}) {
      const answer = await client.signIn({ email, password, clientId, secondFactor });
      await begin(answer);
      return answer.choices;
    },
    async signOut() {
      // Until the answer arrives, another call may be refused because the session is over. That is a sign-out, not an expired session.
      leaving = true;
      try {
        await client.signOut({}, { headers: headers() });
      } finally {
        leaving = false;
      }
      sessionStorage.removeItem(ACTING_FOR);
      end(true);
    },
    renew,
    async actFor(clientId) {
      const session = await read(clientId);
      // At this point, so that no call of the former client's pages uses the new client.
      sessionStorage.setItem(ACTING_FOR, clientId);
      change({ kind: 'signedIn', session });
    },
    async reload() {
      change({ kind: 'signedIn', session: await read() });
    },
    headers,
  };
}

/** One renewal at a time over all tabs: each replaces the cookie that they share. Browsers lock on secure origins only. */
async function alone<T>(task: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('laurel-session', task) : task();
}

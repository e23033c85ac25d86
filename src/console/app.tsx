import { TransportProvider } from '@connectrpc/connect-query';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { createQueryClient } from './api/query-client.ts';
import { createSessionTransport } from './api/transport.ts';
import { Toasts } from './feedback/toasts.tsx';
import { LanguageProvider } from './language/language-provider.tsx';
import { routes } from './routes.tsx';
import { namingClient } from './session/client-address.ts';
import { SessionProvider } from './session/session-context.tsx';
import { createSessionKeeper, type SessionState } from './session/session-keeper.ts';
import { signInFirst } from './session/sign-in-path.ts';
import { ShellSkeleton } from './shell/shell-skeleton.tsx';
import { forgetFormerFilters } from './table/table-state.ts';
import { darkTints, theme } from './theme.ts';

const keeper = createSessionKeeper();
const transport = createSessionTransport(keeper);
const queries = createQueryClient();
const BASE = '/console';
/** `public/colour-scheme.js` reads the same entry before the first paint. */
const colourScheme = localStorageColorSchemeManager({ key: 'laurel.colour-scheme' });

let owner = ownerOf(keeper.state());
// Data read for one person or client is never shown to another. Subscribed before any page is.
keeper.subscribe(() => {
  const next = ownerOf(keeper.state());
  if (next !== owner) queries.clear();
  owner = next;
  const state = keeper.state();
  // Its code comes while the page is drawn: 70 ms sooner can be typed.
  if (state.kind !== 'starting' && state.session === undefined) void import('./pages/sign-in/sign-in.tsx');
});
forgetFormerFilters();
// Asked while the texts are fetched, which the first page waits for.
void keeper.start();

/** The client that this tab works for. */
function clientId(): string | undefined {
  const state = keeper.state();
  return state.kind === 'starting' ? undefined : state.session?.client?.id;
}

/** The owner of cached answers: the user and the client. */
function ownerOf(state: SessionState): string {
  return state.kind === 'starting' || state.session === undefined
    ? ''
    : `${state.session.user?.id} ${state.session.client?.id}`;
}

/** The console, wired by hand and in one place. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={darkTints}
      defaultColorScheme="auto"
      colorSchemeManager={colourScheme}
    >
      <LanguageProvider>
        <SessionProvider keeper={keeper}>
          <TransportProvider transport={transport}>
            <QueryClientProvider client={queries}>
              <ModalsProvider>
                <Toasts />
                <Pages />
              </ModalsProvider>
            </QueryClientProvider>
          </TransportProvider>
        </SessionProvider>
      </LanguageProvider>
    </MantineProvider>
  );
}

/** The pages, after the session is known: a user who must sign in loads only the code of the sign-in page. */
function Pages() {
  const isKnown = useSyncExternalStore(keeper.subscribe, () => keeper.state().kind !== 'starting');
  return isKnown ? <Routed /> : <ShellSkeleton />;
}

function Routed() {
  const [router] = useState(openRouter);
  return <RouterProvider router={router} />;
}

function openRouter() {
  if (keeper.state().kind === 'signedOut') signInFirst(BASE);
  return namingClient(createBrowserRouter(routes, { basename: BASE }), clientId);
}

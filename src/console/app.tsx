import { TransportProvider } from '@connectrpc/connect-query';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { createQueryClient } from './api/query-client.ts';
import { createSessionTransport } from './api/transport.ts';
import { LanguageProvider } from './language/language-provider.tsx';
import { routes } from './routes.tsx';
import { SessionProvider } from './session/session-context.tsx';
import { createSessionKeeper } from './session/session-keeper.ts';
import { darkTints, theme } from './theme.ts';

const keeper = createSessionKeeper();
const transport = createSessionTransport(keeper);
const queries = createQueryClient();
const router = createBrowserRouter(routes, { basename: '/console' });
/** `public/colour-scheme.js` reads the same entry before the first paint. */
const colourScheme = localStorageColorSchemeManager({ key: 'laurel.colour-scheme' });

/** The console, wired by hand and in one place. */
export function App() {
  useEffect(() => void keeper.start(), []);
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
                {/* Left of it is the navigation, right of it are the buttons of forms. */}
                <Notifications position="bottom-center" />
                <RouterProvider router={router} />
              </ModalsProvider>
            </QueryClientProvider>
          </TransportProvider>
        </SessionProvider>
      </LanguageProvider>
    </MantineProvider>
  );
}

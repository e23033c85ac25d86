import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { RequireSession } from './session/require-session.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageSkeleton } from './shell/page-skeleton.tsx';
import { RouteError } from './shell/route-error.tsx';
import { Shell } from './shell/shell.tsx';
import { ShellSkeleton } from './shell/shell-skeleton.tsx';

/** A page whose code is fetched when somebody goes there. `load` gives its component. */
function page(path: string, load: () => Promise<ComponentType>): RouteObject {
  return {
    path,
    lazy: async () => ({ Component: await load() }),
    HydrateFallback: PageSkeleton,
    ErrorBoundary: RouteError,
  };
}

/** Every address of the console, below `/console`. */
export const routes: RouteObject[] = [
  {
    ErrorBoundary: RouteError,
    HydrateFallback: ShellSkeleton,
    children: [
      page('/sign-in', async () => (await import('./pages/sign-in/sign-in.tsx')).SignIn),
      {
        Component: RequireSession,
        children: [
          page('/change-password', async () => (await import('./pages/sign-in/change-password.tsx')).ChangePassword),
          {
            Component: Shell,
            children: [
              page('/', async () => (await import('./pages/overview/overview.tsx')).Overview),
              page('/campaigns', async () => (await import('./pages/campaigns/campaign-list.tsx')).CampaignList),
              page('/campaigns/new', async () => (await import('./pages/campaigns/campaign-new.tsx')).CampaignNew),
              page('/campaigns/:id', async () => (await import('./pages/campaigns/campaign-page.tsx')).CampaignPage),
              page(
                '/campaigns/:id/edit',
                async () => (await import('./pages/campaigns/campaign-edit.tsx')).CampaignEdit,
              ),
              page('/events', async () => (await import('./pages/events/event-list.tsx')).EventList),
              page('/settings', async () => (await import('./pages/settings/settings.tsx')).Settings),
              { path: '*', Component: NotFound },
            ],
          },
        ],
      },
    ],
  },
];

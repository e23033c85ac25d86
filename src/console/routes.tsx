import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { Permission } from '../../gen/laurel/auth/v1/options_pb.ts';
import { allowedPage } from './session/allowed-page.tsx';
import { RequireSession } from './session/require-session.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageSkeleton } from './shell/page-skeleton.tsx';
import { RouteError } from './shell/route-error.tsx';
import { ShellSkeleton } from './shell/shell-skeleton.tsx';

/** A page whose code is fetched on the first visit. `load` returns its component; a user without the permission `needs` sees a message. */
function page(path: string, load: () => Promise<ComponentType>, needs?: Permission): RouteObject {
  return {
    path,
    lazy: async () => {
      const Content = await load();
      return { Component: needs === undefined ? Content : allowedPage(needs, Content) };
    },
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
            lazy: async () => ({ Component: (await import('./shell/shell.tsx')).Shell }),
            children: [
              page('/', async () => (await import('./pages/overview/overview.tsx')).Overview),
              page('/campaigns', async () => (await import('./pages/campaigns/campaign-list.tsx')).CampaignList),
              page(
                '/campaigns/new',
                async () => (await import('./pages/campaigns/editor/campaign-new.tsx')).CampaignNew,
                Permission.KEEP_CAMPAIGNS,
              ),
              page(
                '/campaigns/calendar',
                async () => (await import('./pages/campaigns/calendar/campaign-calendar.tsx')).CampaignCalendar,
              ),
              page(
                '/campaigns/missions',
                async () => (await import('./pages/campaigns/standalone/mission-list-page.tsx')).StandaloneMissions,
              ),
              page(
                '/campaigns/missions/new',
                async () => (await import('./pages/campaigns/standalone/mission-new.tsx')).MissionNew,
                Permission.KEEP_CAMPAIGNS,
              ),
              page(
                '/campaigns/missions/:id',
                async () => (await import('./pages/campaigns/standalone/mission-page.tsx')).MissionPage,
              ),
              page(
                '/campaigns/missions/:id/edit',
                async () => (await import('./pages/campaigns/standalone/mission-edit.tsx')).MissionEdit,
                Permission.KEEP_CAMPAIGNS,
              ),
              page('/campaigns/:id', async () => (await import('./pages/campaigns/campaign-page.tsx')).CampaignPage),
              page(
                '/campaigns/:id/accounts',
                async () => (await import('./pages/campaigns/campaign-accounts.tsx')).CampaignAccounts,
              ),
              page(
                '/campaigns/:id/edit',
                async () => (await import('./pages/campaigns/editor/campaign-edit.tsx')).CampaignEdit,
                Permission.KEEP_CAMPAIGNS,
              ),
              page('/accounts', async () => (await import('./pages/accounts/account-list.tsx')).AccountList),
              page('/accounts/:id', async () => (await import('./pages/accounts/account-page.tsx')).AccountPage),
              page('/simulator', async () => (await import('./pages/simulator/simulator.tsx')).Simulator),
              page('/events', async () => (await import('./pages/events/event-list.tsx')).EventList),
              page('/levels', async () => (await import('./pages/levels/level-list.tsx')).LevelList),
              page(
                '/leaderboards',
                async () => (await import('./pages/leaderboards/leaderboard-list.tsx')).LeaderboardList,
              ),
              page(
                '/leaderboards/:id',
                async () => (await import('./pages/leaderboards/leaderboard-page.tsx')).LeaderboardPage,
              ),
              page('/statistics', async () => (await import('./pages/statistics/statistic-list.tsx')).StatisticList),
              page('/journal', async () => (await import('./pages/timeline/journal-list.tsx')).JournalList),
              page('/audiences', async () => (await import('./pages/audiences/audience-list.tsx')).AudienceList),
              page('/audiences/:id', async () => (await import('./pages/audiences/audience-page.tsx')).AudiencePage),
              page('/webhooks', async () => (await import('./pages/webhooks/webhooks.tsx')).Webhooks),
              page('/alerts', async () => (await import('./pages/alerts/alerts.tsx')).Alerts),
              page('/webhooks/deliveries/:id', async () => (await import('./pages/webhooks/delivery.tsx')).Delivery),
              page(
                '/dead-triggers',
                async () => (await import('./pages/dead-triggers/dead-trigger-list.tsx')).DeadTriggerList,
              ),
              page(
                '/refused-calls',
                async () => (await import('./pages/refused-calls/refused-call-list.tsx')).RefusedCallList,
              ),
              page(
                '/keys',
                async () => (await import('./pages/keys/key-list.tsx')).KeyList,
                Permission.KEEP_CREDENTIALS,
              ),
              page('/users', async () => (await import('./pages/users/user-list.tsx')).UserList, Permission.KEEP_USERS),
              page(
                '/clients',
                async () => (await import('./pages/clients/client-list.tsx')).ClientList,
                Permission.ADMINISTER_SERVICE,
              ),
              page('/audit', async () => (await import('./pages/audit/audit-list.tsx')).AuditList),
              page('/rewards', async () => (await import('./pages/rewards/reward-list.tsx')).RewardList),
              page('/rewards/chests', async () => (await import('./pages/rewards/chest-list.tsx')).ChestList),
              page(
                '/rewards/chests/new',
                async () => (await import('./pages/rewards/chest-new.tsx')).ChestNew,
                Permission.KEEP_REWARDS,
              ),
              page('/rewards/chests/:id', async () => (await import('./pages/rewards/chest-page.tsx')).ChestPage),
              page('/rewards/:id', async () => (await import('./pages/rewards/reward-page.tsx')).RewardPage),
              page('/products', async () => (await import('./pages/products/product-list.tsx')).ProductList),
              page('/products/:id', async () => (await import('./pages/products/product-page.tsx')).ProductPage),
              page(
                '/marketplace',
                async () => (await import('./pages/marketplace/publication-list.tsx')).PublicationList,
              ),
              page(
                '/marketplace/publications/:id',
                async () => (await import('./pages/marketplace/publication-page.tsx')).PublicationPage,
              ),
              page(
                '/marketplace/agreements',
                async () => (await import('./pages/marketplace/agreement-list.tsx')).AgreementList,
              ),
              page(
                '/marketplace/agreements/:id',
                async () => (await import('./pages/marketplace/agreement-page.tsx')).AgreementPage,
              ),
              page(
                '/marketplace/reservations',
                async () => (await import('./pages/marketplace/reservation-list.tsx')).ReservationList,
              ),
              page(
                '/marketplace/purchases',
                async () => (await import('./pages/marketplace/purchase-list.tsx')).PurchaseList,
              ),
              page('/imports', async () => (await import('./pages/imports/import-list.tsx')).ImportList),
              page(
                '/imports/new',
                async () => (await import('./pages/imports/import-new.tsx')).ImportNew,
                Permission.IMPORT,
              ),
              page(
                '/imports/exports',
                async () => (await import('./pages/imports/export-page.tsx')).ExportPage,
                Permission.EXPORT,
              ),
              page('/imports/:id', async () => (await import('./pages/imports/import-page.tsx')).ImportPage),
              page('/settings', async () => (await import('./pages/settings/settings.tsx')).Settings),
              { path: '*', Component: NotFound },
            ],
          },
        ],
      },
    ],
  },
];

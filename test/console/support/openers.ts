import { act, choose, type Opener, openAlerts, openWebhook, press } from './dialogs.ts';

/** The resources of the tests of dialogs beside the coffee shop. */
export const MADE = {
  soldOut: 'Gold mug',
  person: 'nora@coffee.example',
  key: 'Till system',
  endpoint: 'Customer data',
} as const;

const creating = (
  file: string,
  path: string,
  section:
    | 'users'
    | 'keys'
    | 'clients'
    | 'rewards'
    | 'events'
    | 'statistics'
    | 'levels'
    | 'leaderboards'
    | 'products'
    | 'audiences'
    | 'marketplace',
): Opener => ({
  file,
  path,
  open: (at) => press(at, at.m[section].create),
});

/** The way to every dialog of the console, which `support/dialogs.ts` counts. */
export const openers: readonly Opener[] = [
  { file: 'palette/palette.tsx', path: '/', open: ({ page }) => page.keyboard.press('Control+k') },
  { file: 'palette/shortcut-list.tsx', path: '/', open: ({ page }) => page.keyboard.press('?') },
  {
    file: 'form/leave-guard.tsx',
    path: '/events',
    async open(at) {
      await press(at, at.m.events.create);
      await at.page.getByRole('dialog').getByRole('textbox').first().fill('lost');
      await at.page.keyboard.press('Escape');
      await at.page.getByRole('dialog', { name: at.m.form.unsaved }).waitFor();
    },
  },
  creating('pages/users/user-form.tsx', '/users', 'users'),
  creating('pages/keys/key-form.tsx', '/keys', 'keys'),
  creating('pages/clients/client-form.tsx', '/clients', 'clients'),
  creating('pages/rewards/reward-form.tsx', '/rewards', 'rewards'),
  creating('pages/events/event-form.tsx', '/events', 'events'),
  creating('pages/statistics/statistic-form.tsx', '/statistics', 'statistics'),
  creating('pages/levels/level-form.tsx', '/levels', 'levels'),
  creating('pages/leaderboards/leaderboard-form.tsx', '/leaderboards', 'leaderboards'),
  creating('pages/products/product-form.tsx', '/products', 'products'),
  creating('pages/audiences/audience-form.tsx', '/audiences', 'audiences'),
  {
    file: 'pages/accounts/account-attributes.tsx',
    path: '/accounts',
    open: (at) => press(at, at.m.accounts.attributes),
  },
  creating('pages/marketplace/publication-form.tsx', '/marketplace', 'marketplace'),
  {
    file: 'pages/marketplace/agreement-form.tsx',
    path: '/marketplace/agreements',
    open: (at) => press(at, at.m.marketplace.createAgreement),
  },
  {
    file: 'pages/users/password-once.tsx',
    path: '/users',
    async open(at) {
      await press(at, at.m.users.create);
      const fields = at.page.getByRole('dialog').getByRole('textbox');
      await fields.nth(0).fill(`new-${crypto.randomUUID()}@example.com`);
      await fields.nth(1).fill('Nobody yet');
      await at.page.keyboard.press('Enter');
      await at.page.getByRole('dialog').getByRole('checkbox').waitFor();
    },
  },
  {
    file: 'pages/keys/key-form.tsx',
    which: 'secret',
    path: '/keys',
    async open(at) {
      await press(at, at.m.keys.create);
      await at.page.getByRole('dialog').getByRole('textbox', { name: at.m.form.name }).fill('A till');
      await at.page.keyboard.press('Enter');
      await at.page.getByRole('dialog').getByRole('checkbox').waitFor();
    },
  },
  {
    file: 'pages/users/user-edit.tsx',
    path: '/users',
    open: (at) => choose(at, at.m.users.editAction, MADE.person),
  },
  {
    file: 'pages/users/user-sessions.tsx',
    path: '/users',
    open: (at) => choose(at, at.m.users.sessions, MADE.person),
  },
  {
    file: 'pages/users/user-actions.tsx',
    which: 'disable',
    path: '/users',
    open: (at) => choose(at, at.m.users.disable, MADE.person),
  },
  {
    file: 'pages/users/user-actions.tsx',
    which: 'reset',
    path: '/users',
    open: (at) => choose(at, at.m.users.reset, MADE.person),
  },
  { file: 'pages/keys/key-actions.tsx', path: '/keys', open: (at) => choose(at, at.m.keys.revoke, MADE.key) },
  { file: 'pages/clients/client-edit.tsx', path: '/clients', open: (at) => choose(at, at.m.clients.editAction) },
  {
    file: 'pages/rewards/reward-edit.tsx',
    path: '/rewards',
    open: (at) => choose(at, at.m.rewards.edit),
  },
  {
    file: 'pages/rewards/reward-actions.tsx',
    path: '/rewards',
    open: (at) => choose(at, at.m.rewards.archive),
  },
  { file: 'pages/rewards/chest-page.tsx', path: '/rewards/chests/:id', open: (at) => press(at, at.m.rewards.archive) },
  {
    file: 'attributes/attributes-cell.tsx',
    path: '/events',
    open: ({ page }) =>
      page.getByRole('row').filter({ hasText: 'PURCHASE' }).getByRole('button', { name: 'cups' }).click(),
  },
  {
    file: 'pages/events/event-edit.tsx',
    path: '/events',
    open: (at) => choose(at, at.m.events.editAction, 'PURCHASE'),
  },
  {
    file: 'feedback/use-ask-unless-used.tsx',
    path: '/events',
    async open(at) {
      await choose(at, at.m.events.remove, 'PURCHASE');
      await at.page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
  },
  {
    file: 'pages/statistics/statistic-edit.tsx',
    path: '/statistics',
    open: (at) => choose(at, at.m.statistics.editAction, 'spent_month'),
  },
  {
    file: 'pages/statistics/statistic-actions.tsx',
    path: '/statistics',
    open: (at) => choose(at, at.m.statistics.remove, 'spent_month'),
  },
  {
    file: 'pages/levels/level-actions.tsx',
    path: '/levels',
    open: (at) => choose(at, at.m.levels.remove, 'guests'),
  },
  {
    file: 'pages/leaderboards/leaderboard-actions.tsx',
    which: 'activate',
    path: '/leaderboards/:draftBoard',
    open: (at) => press(at, at.m.leaderboards.activate),
  },
  {
    file: 'pages/leaderboards/leaderboard-actions.tsx',
    which: 'remove',
    path: '/leaderboards/:draftBoard',
    open: (at) => choose(at, at.m.leaderboards.remove),
  },
  {
    file: 'pages/leaderboards/leaderboard-actions.tsx',
    which: 'end',
    path: '/leaderboards/:id',
    open: (at) => choose(at, at.m.leaderboards.end),
  },
  {
    file: 'pages/leaderboards/leaderboard-runs.tsx',
    path: '/leaderboards/:id',
    open: (at) => choose(at, at.m.leaderboards.cancelRun, at.m.leaderboards.runStatuses.OPEN),
  },
  {
    file: 'pages/accounts/tabs/account-results.tsx',
    path: '/accounts/:id?tab=statistics',
    open: (at) => choose(at, at.m.accounts.results, 'Bronze'),
  },
  {
    file: 'pages/leaderboards/close-run.tsx',
    path: '/leaderboards/:id',
    open: (at) => choose(at, at.m.leaderboards.closeRun, at.m.leaderboards.runStatuses.OPEN),
  },
  {
    file: 'pages/campaigns/standalone/streak-settings.tsx',
    path: '/campaigns/missions',
    open: (at) => press(at, at.m.campaigns.streakSettings.title),
  },
  {
    file: 'pages/accounts/grant-freezes.tsx',
    path: '/accounts/:id?tab=progress',
    open: (at) => press(at, at.m.accounts.freezes.grant),
  },
  {
    file: 'pages/accounts/announce-vacations.tsx',
    path: '/accounts/:id?tab=progress',
    open: (at) => press(at, at.m.accounts.vacations.change),
  },
  {
    file: 'pages/accounts/restore-streak.tsx',
    path: '/accounts/:id?tab=progress',
    open: (at) => choose(at, at.m.support.restore.name, 'A visit each day'),
  },
  {
    file: 'pages/accounts/correct-statistic.tsx',
    path: '/accounts/:id?tab=statistics',
    open: (at) => choose(at, at.m.accounts.correctStatistic, 'Largest purchase'),
  },
  { file: 'pages/events/event-actions.tsx', path: '/events', open: (at) => choose(at, at.m.events.remove) },
  {
    file: 'pages/dead-triggers/dead-trigger-details.tsx',
    path: '/dead-triggers',
    open: (at) => choose(at, at.m.deadTriggers.details),
  },
  {
    file: 'pages/dead-triggers/dead-trigger-actions.tsx',
    path: '/dead-triggers',
    open: (at) => choose(at, at.m.deadTriggers.discard),
  },
  {
    file: 'pages/audit/audit-changes.tsx',
    path: '/audit',
    open: ({ page, m }) => page.getByRole('main').getByText(m.audit.showShort, { exact: true }).first().click(),
  },
  { file: 'pages/products/product-edit.tsx', path: '/products/:id', open: (at) => press(at, at.m.products.editAction) },
  { file: 'pages/products/codes-dialog.tsx', path: '/products/:id', open: (at) => press(at, at.m.products.addCodes) },
  {
    file: 'pages/products/product-actions.tsx',
    which: 'archive',
    path: '/products/:id',
    open: (at) => choose(at, at.m.products.archive),
  },
  {
    file: 'pages/products/product-codes.tsx',
    path: '/products/:id',
    open: (at) => choose(at, at.m.products.withdraw, '••••'),
  },
  {
    file: 'pages/products/product-actions.tsx',
    which: 'units',
    path: '/products/:soldOut',
    open: (at) => press(at, at.m.products.addUnits),
  },
  {
    file: 'pages/products/product-actions.tsx',
    which: 'withdraw',
    path: '/products/:counted',
    open: (at) => choose(at, at.m.products.withdrawUnits),
  },
  {
    file: 'pages/products/pending-rewards.tsx',
    which: 'cancel',
    path: '/products/:soldOut',
    open: (at) => choose(at, at.m.products.cancelPending, 'guest-ada'),
  },
  {
    file: 'pages/audiences/audience-edit.tsx',
    path: '/audiences/:id',
    open: (at) => press(at, at.m.audiences.editAction),
  },
  {
    file: 'pages/audiences/audience-page.tsx',
    path: '/audiences/:id',
    open: (at) => choose(at, at.m.audiences.remove),
  },
  { file: 'pages/audiences/members-dialog.tsx', path: '/audiences/:id', open: (at) => press(at, at.m.audiences.add) },
  {
    file: 'pages/audiences/audience-members.tsx',
    path: '/audiences/:id',
    open: (at) => choose(at, at.m.audiences.take, 'guest-ada'),
  },
  { file: 'pages/webhooks/webhook-form.tsx', path: '/webhooks', open: (at) => openWebhook(at) },
  {
    file: 'pages/webhooks/webhook-form.tsx',
    which: 'secret',
    path: '/webhooks',
    alone: true,
    async open(at) {
      await openWebhook(at);
      const dialog = at.page.getByRole('dialog');
      await dialog.getByRole('textbox').first().fill('https://hooks.example.com/laurel');
      await dialog.getByRole('switch').or(dialog.getByRole('checkbox')).first().check();
      await dialog.locator('button[type=submit]').click();
      await dialog.getByRole('checkbox', { name: at.m.feedback.kept }).waitFor();
    },
  },
  {
    file: 'pages/webhooks/webhook-card.tsx',
    path: '/webhooks',
    open: (at) => press(at, at.m.webhooks.removeLabel.replace('{type}', at.m.webhooks.types.REWARDS)),
  },
  {
    file: 'pages/webhooks/endpoint-form.tsx',
    path: '/webhooks',
    open: (at) => choose(at, at.m.webhooks.edit, MADE.endpoint),
  },
  {
    file: 'pages/webhooks/endpoint-form.tsx',
    which: 'secret',
    path: '/webhooks',
    alone: true,
    async open(at) {
      await press(at, at.m.endpoints.create);
      const dialog = at.page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: at.m.form.name }).fill('Warehouse');
      await dialog.getByRole('textbox', { name: at.m.webhooks.endpoint }).fill('https://hooks.example.com/stock');
      await dialog.getByRole('checkbox', { name: at.m.endpoints.kinds.STOCK_LOW }).check();
      await dialog.locator('button[type=submit]').click();
      await dialog.getByRole('checkbox', { name: at.m.feedback.kept }).waitFor();
    },
  },
  {
    file: 'pages/webhooks/endpoint-test.tsx',
    path: '/webhooks',
    open: (at) => choose(at, at.m.webhooks.test, MADE.endpoint),
  },
  {
    file: 'pages/webhooks/endpoint-actions.tsx',
    path: '/webhooks',
    open: (at) => choose(at, at.m.webhooks.remove, MADE.endpoint),
  },
  {
    file: 'pages/webhooks/delivery.tsx',
    path: '/webhooks/deliveries/:id',
    open: (at) => press(at, at.m.webhooks.redeliver),
  },
  {
    file: 'pages/webhooks/resend-dialog.tsx',
    path: '/webhooks',
    open: (at) => press(at, at.m.leads.resend),
  },
  { file: 'pages/alerts/alert-form.tsx', path: '/alerts', open: (at) => openAlerts(at) },
  { file: 'pages/clients/client-number-form.tsx', path: '/alerts', open: (at) => press(at, at.m.alerts.outliers.edit) },
  {
    file: 'pages/alerts/alert-form.tsx',
    which: 'secret',
    path: '/alerts',
    alone: true,
    async open(at) {
      await openAlerts(at);
      const dialog = at.page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: at.m.alerts.endpoint }).fill('https://hooks.example.com/laurel');
      const rotate = dialog.getByRole('switch', { name: at.m.alerts.rotate });
      if (await rotate.isVisible()) await rotate.check();
      await dialog.locator('button[type=submit]').click();
      await dialog.getByRole('checkbox', { name: at.m.feedback.kept }).waitFor();
    },
  },
  { file: 'pages/imports/import-page.tsx', path: '/imports/:id', open: (at) => press(at, at.m.imports.cancel) },
  {
    file: 'pages/settings/enable-second-factor.tsx',
    path: '/settings',
    open: (at) => press(at, at.m.secondFactor.enable),
  },
  {
    file: 'pages/marketplace/agreement-page.tsx',
    which: 'units',
    path: '/marketplace/agreements/:id',
    open: (at) => press(at, at.m.marketplace.addStock),
  },
  {
    file: 'pages/marketplace/agreement-page.tsx',
    which: 'name',
    path: '/marketplace/agreements/:id',
    open: (at) => press(at, at.m.marketplace.rename),
  },
  {
    file: 'pages/marketplace/publication-edit.tsx',
    path: '/marketplace/publications/:id',
    open: (at) => choose(at, at.m.marketplace.editAction),
  },
  {
    file: 'pages/marketplace/publication-actions.tsx',
    which: 'add',
    path: '/marketplace/publications/:id',
    open: (at) => press(at, at.m.marketplace.addStock),
  },
  {
    file: 'pages/marketplace/publication-actions.tsx',
    which: 'withdraw',
    path: '/marketplace/publications/:id',
    open: (at) => choose(at, at.m.marketplace.withdraw),
  },
  {
    file: 'pages/marketplace/publication-actions.tsx',
    which: 'unpublish',
    path: '/marketplace/publications/:id',
    open: (at) => press(at, at.m.marketplace.unpublish),
  },
  { file: 'pages/accounts/edit-account.tsx', path: '/accounts/:id', open: (at) => act(at, at.m.support.edit.name) },
  { file: 'pages/accounts/grant-reward.tsx', path: '/accounts/:id', open: (at) => act(at, at.m.support.grant.name) },
  {
    file: 'pages/accounts/change-audiences.tsx',
    path: '/accounts/:id',
    async open(at) {
      await act(at, at.m.support.audiences.name);
      await at.page.getByRole('dialog').locator('form').waitFor();
    },
  },
  { file: 'pages/accounts/merge-account.tsx', path: '/accounts/:id', open: (at) => act(at, at.m.support.merge.name) },
  {
    file: 'pages/accounts/tabs/merges-tab.tsx',
    path: '/accounts/:id?tab=merges',
    open: ({ page, m }) => page.getByRole('main').getByText(m.accounts.undo, { exact: true }).last().click(),
  },
  { file: 'pages/accounts/account-actions.tsx', path: '/accounts/:id', open: (at) => act(at, at.m.support.erase.name) },
  {
    file: 'pages/accounts/account-actions.tsx',
    which: 'suspension',
    path: '/accounts/:id',
    open: (at) => act(at, at.m.support.suspend.name),
  },
  {
    file: 'pages/accounts/account-actions.tsx',
    which: 'tokens',
    path: '/accounts/:id',
    open: (at) => act(at, at.m.support.revokeTokens.name),
  },
  { file: 'pages/keys/token-origins.tsx', path: '/keys', open: (at) => press(at, at.m.keys.origins.open) },
  {
    file: 'pages/accounts/take-back-events.tsx',
    path: '/accounts/:id',
    open: (at) => act(at, at.m.support.takeBack.name),
  },
  { file: 'pages/accounts/adjust-points.tsx', path: '/accounts/:id', open: (at) => press(at, at.m.accounts.adjust) },
  {
    file: 'pages/timeline/take-back.tsx',
    path: '/accounts/:id',
    open: ({ page, m }) => page.getByRole('main').getByText(m.timeline.takeBack.name, { exact: true }).first().click(),
  },
  {
    file: 'pages/accounts/tabs/row-actions.tsx',
    which: 'chest',
    path: '/accounts/:id?tab=chests',
    open: ({ page, m }) => page.getByRole('main').getByText(m.support.openChest, { exact: true }).first().click(),
  },
  {
    file: 'pages/campaigns/campaign-actions.tsx',
    which: 'pause',
    path: '/campaigns/:id',
    open: (at) => press(at, at.m.campaigns.pause),
  },
  {
    file: 'pages/campaigns/campaign-actions.tsx',
    which: 'end',
    path: '/campaigns/:id',
    open: (at) => choose(at, at.m.campaigns.end),
  },
  {
    file: 'pages/campaigns/improve-mission.tsx',
    path: '/campaigns/:id',
    open: (at) => press(at, at.m.campaigns.improve.name),
  },
  {
    file: 'pages/campaigns/duplicate-dialog.tsx',
    path: '/campaigns/:id',
    open: (at) => choose(at, at.m.campaigns.duplicate),
  },
  {
    file: 'pages/campaigns/activate-dialog.tsx',
    path: '/campaigns/:draft',
    open: (at) => press(at, at.m.campaigns.activate),
  },
  {
    file: 'pages/campaigns/campaign-actions.tsx',
    which: 'remove',
    path: '/campaigns/:draft',
    open: (at) => choose(at, at.m.campaigns.remove),
  },
  {
    file: 'pages/campaigns/standalone/mission-page.tsx',
    path: '/campaigns/missions/:id',
    open: (at) => press(at, at.m.campaigns.end),
  },
];

/** The number of further dialogs of a file that are checked by their frame alone, and the reason why no page of these tests shows them. */
export const alike: Readonly<Record<string, readonly [count: number, why: string]>> = {
  'pages/users/user-actions.tsx': [1, 'resets a second factor; the words alone differ from the other two'],
  'pages/products/pending-rewards.tsx': [
    1,
    'delivers, while there are units; the reason is asked as for a cancellation',
  ],
  'pages/marketplace/publication-actions.tsx': [
    2,
    'publishes and removes what is withdrawn; asked as for the withdrawal',
  ],
  'pages/marketplace/reservation-table.tsx': [1, 'releases; the reason is asked as for a cancellation'],
  'pages/settings/disable-second-factor.tsx': [1, 'test/console/second-factor.test.ts opens it'],
  'pages/settings/recovery-codes.tsx': [
    1,
    'test/console/required-factor.test.ts opens it; shown as the secret of a key is',
  ],
  'pages/imports/take-import-back.tsx': [1, 'test/console/past-events.test.ts opens it; asked as for a suspension'],
  'pages/webhooks/waiting-retries.tsx': [1, 'asks as the card of the webhook does'],
  'pages/accounts/account-attributes.tsx': [1, 'test/console/account-attributes.test.ts opens it, as a viewer'],
  'pages/accounts/tabs/row-actions.tsx': [3, 'their frame, a claim and a cancellation; asked as for a chest'],
  'pages/accounts/account-actions.tsx': [1, 'the same for an account that is suspended already'],
  'pages/accounts/change-audiences.tsx': [1, 'the same while its audiences are on their way'],
};

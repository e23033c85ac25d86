// The pages of the guide in their order: those for integrators first.

/** A group of the navigation. */
export type Group = { readonly title: string; readonly pages: readonly Page[] };

/** One page: its Markdown file in the repository, the last part of its address, and its label in the navigation. */
export type Page = { readonly source: string; readonly slug: string; readonly label: string };

const page = (source: string, label: string, slug = slugOf(source)): Page => ({ source, slug, label });

/** The page at `/docs/guide`. */
export const HOME = page('docs/guide/index.md', 'Overview', 'index');

/** The navigation. Missing pages are left out, and pages without a group are in the last one. */
export const GROUPS: readonly Group[] = [
  {
    title: 'First steps',
    pages: [
      HOME,
      page('docs/guide/concepts.md', 'Concepts'),
      page('docs/integrators.md', 'Every call, as curl'),
      page('docs/guide/faq.md', 'Fifty questions'),
    ],
  },
  {
    title: 'Build',
    pages: [
      page('docs/guide/four-ways.md', 'The same calls in four ways'),
      page('docs/guide/events.md', 'Events'),
      page('docs/guide/missions.md', 'Missions, streaks, routines'),
      page('docs/guide/conditions.md', 'Conditions and attributes'),
      page('docs/statistics.md', 'Statistics'),
      page('docs/levels.md', 'Levels'),
      page('docs/leaderboards.md', 'Leaderboards'),
      page('docs/guide/rewards.md', 'Rewards, claims, chests'),
      page('docs/guide/figures.md', 'Levels, segments, badges, streaks'),
      page('docs/guide/marketplace.md', 'Points and marketplace'),
      page('docs/calendar.md', 'Days, pauses, late events'),
      page('docs/guide/corrections.md', 'Returns, fraud, corrections'),
      page('docs/reversals.md', 'Returns: the rules'),
      page('docs/suspension.md', 'Suspended accounts'),
      page('docs/merging.md', 'Merged accounts'),
      page('docs/control-groups.md', 'Control groups'),
      page('docs/backfill.md', 'Backfill'),
      page('docs/guide/tokens.md', 'Tokens for apps'),
      page('docs/guide/changes.md', 'Reading changes'),
      page('docs/guide/warehouse.md', 'A copy in a warehouse'),
      page('docs/webhooks.md', 'Webhooks'),
      page('docs/guide/errors-and-retries.md', 'Errors and retries'),
      page('gen/errors.md', 'Error codes', 'error-codes'),
      page('docs/clients/typescript.md', 'The TypeScript package'),
      page('docs/clients/python.md', 'The Python package'),
      page('docs/clients/widgets.md', 'Widgets'),
      page('docs/clients/assistants.md', 'Assistants (MCP)'),
      page('docs/clients.md', 'gRPC and your language'),
      page('docs/contract.md', 'The contract, row by row'),
    ],
  },
  {
    title: 'Operate',
    pages: [
      page('docs/operations.md', 'Settings and operation'),
      page('docs/commands.md', 'Commands'),
      page('docs/failover.md', 'Monitoring, restarts, failover'),
      page('docs/console-users.md', 'Console users and audit log'),
      page('docs/campaign-operations.md', 'Campaign operations'),
      page('docs/deploying.md', 'Deploying Laurel'),
      page('docs/capacity.md', 'Capacity'),
      page('docs/scale-out.md', 'Several PostgreSQL servers'),
      page('docs/upgrading.md', 'Upgrading'),
      page('docs/runbook.md', 'Runbook of the alerts'),
      page('docs/backup.md', 'Backup and restore'),
      page('docs/imports.md', 'CSV in and out'),
      page('docs/threat-model.md', 'Threat model'),
      page('docs/asvs.md', 'OWASP ASVS'),
      page('docs/benchmarks.md', 'Benchmarks'),
      page('docs/dependencies.md', 'Dependencies'),
    ],
  },
];

/** The name of the file without its extension. */
export function slugOf(source: string): string {
  return source.replace(/^.*\//, '').replace(/\.md$/, '');
}

/** The address of a page. */
export function addressOf({ slug }: Pick<Page, 'slug'>): string {
  return slug === HOME.slug ? '/docs/guide' : `/docs/guide/${slug}`;
}

/**
 * The layers: the exact imports of each folder of `src`. `app` connects the modules and may import all, as may `main.ts`.
 * `.ci/check-layers.ts` compares this list with the imports and with the drawing in README. The linter refuses a new folder or a new import
 * between folders until it is added here.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  kernel: ['gen'],
  // Expressions of conditions, amounts and segments: checked, and compiled to functions and SQL.
  expressions: ['kernel'],
  // Attributes of events and accounts: declared, read, and named in expressions.
  attributes: ['expressions', 'kernel', 'gen'],
  engine: ['attributes', 'expressions', 'kernel', 'gen'],
  persistence: ['kernel'],
  // Below the clients, because the changes of their operations are recorded as well.
  audit: ['persistence', 'kernel', 'gen'],
  clients: ['audit', 'persistence', 'attributes', 'kernel', 'gen'],
  // Below the modules, because all of them report to it.
  activity: ['clients', 'persistence', 'kernel', 'gen'],
  // Below the modules, whose changes are in the feed.
  changes: ['clients', 'audit', 'persistence', 'kernel', 'gen'],
  idempotency: ['clients', 'persistence', 'kernel', 'gen'],
  accounts: ['clients', 'persistence', 'attributes', 'kernel', 'gen'],
  // Below the modules whose expressions read statistics.
  statistics: ['accounts', 'clients', 'audit', 'persistence', 'engine', 'expressions', 'kernel', 'gen'],
  webhooks: ['changes', 'idempotency', 'activity', 'clients', 'audit', 'persistence', 'kernel', 'gen'],
  // Below the modules whose expressions read levels.
  levels: ['statistics', 'webhooks', 'accounts', 'clients', 'audit', 'persistence', 'engine', 'kernel', 'gen'],
  audiences: [
    ...[
      'levels',
      'statistics',
      'accounts',
      'clients',
      'audit',
      'persistence',
      'engine',
      'attributes',
      'expressions',
      'kernel',
      'gen',
    ],
  ],
  // The log of refused calls, which the server reports.
  'refused-calls': ['accounts', 'activity', 'clients', 'persistence', 'kernel', 'gen'],
  redemptions: ['changes', 'accounts', 'clients', 'persistence', 'kernel', 'gen'],
  loyalty: ['changes', 'accounts', 'idempotency', 'clients', 'audit', 'persistence', 'kernel', 'gen'],
  rewards: [
    ...['loyalty', 'audiences', 'redemptions', 'webhooks', 'changes', 'statistics', 'accounts', 'idempotency'],
    'activity',
    ...['clients', 'audit', 'persistence', 'engine', 'expressions', 'kernel', 'gen'],
  ],
  // Below the catalogue of definitions, whose events rank accounts. Prizes are rewards.
  leaderboards: [
    ...['rewards', 'audiences', 'statistics', 'webhooks', 'accounts', 'activity', 'clients', 'audit', 'persistence'],
    ...['engine', 'kernel', 'gen'],
  ],
  campaigns: [
    ...[
      'changes',
      'leaderboards',
      'rewards',
      'loyalty',
      'audiences',
      'levels',
      'statistics',
      'webhooks',
      'accounts',
      'idempotency',
      'activity',
    ],
    ...['clients', 'audit', 'persistence', 'engine', 'attributes', 'expressions', 'kernel', 'gen'],
  ],
  marketplace: [
    ...['rewards', 'loyalty', 'redemptions', 'webhooks', 'changes', 'accounts', 'idempotency', 'activity'],
    ...['clients', 'audit', 'persistence', 'kernel', 'gen'],
  ],
  journal: [
    'changes',
    'campaigns',
    'rewards',
    'levels',
    'statistics',
    'accounts',
    'idempotency',
    'clients',
    'persistence',
    'engine',
    'attributes',
    'kernel',
    'gen',
  ],
  triggers: [
    ...[
      'journal',
      'campaigns',
      'leaderboards',
      'rewards',
      'levels',
      'statistics',
      'webhooks',
      'changes',
      'accounts',
      'idempotency',
      'activity',
    ],
    ...['clients', 'audit', 'persistence', 'engine', 'attributes', 'kernel', 'gen'],
  ],
  // Above the modules, whose rewards and completions a merge pays.
  merging: [
    ...['triggers', 'campaigns', 'rewards', 'webhooks', 'accounts', 'idempotency'],
    ...['clients', 'audit', 'persistence', 'engine', 'attributes', 'kernel', 'gen'],
  ],
  imports: [
    ...[
      'leaderboards',
      'statistics',
      'triggers',
      'expressions',
      'journal',
      'campaigns',
      'rewards',
      'redemptions',
      'audiences',
      'webhooks',
      'accounts',
      'activity',
    ],
    ...['clients', 'audit', 'persistence', 'attributes', 'kernel', 'gen'],
  ],
  // Accounts far above the usual, by their events and points.
  outliers: ['journal', 'loyalty', 'accounts', 'activity', 'clients', 'persistence', 'kernel'],
  alerts: ['webhooks', 'activity', 'clients', 'audit', 'persistence', 'kernel', 'gen'],
  housekeeping: [
    'changes',
    ...['alerts', 'imports', 'triggers', 'marketplace', 'journal', 'rewards', 'loyalty', 'audiences', 'webhooks'],
    ...[
      'campaigns',
      'merging',
      'outliers',
      'refused-calls',
      'leaderboards',
      'levels',
      'statistics',
      'accounts',
      'idempotency',
      'activity',
      'clients',
      'audit',
      'persistence',
      'kernel',
    ],
  ],
  support: [
    ...[
      'leaderboards',
      'triggers',
      'journal',
      'campaigns',
      'rewards',
      'marketplace',
      'audiences',
      'statistics',
      'webhooks',
      'accounts',
      'idempotency',
    ],
    ...['clients', 'audit', 'persistence', 'kernel', 'gen'],
  ],
  timeline: ['accounts', 'clients', 'audit', 'persistence', 'kernel', 'gen'],
  server: ['clients', 'persistence', 'kernel', 'gen'],
  gateway: ['server', 'persistence', 'kernel', 'gen'],
  // Commands that call a running service, through the client for TypeScript.
  remote: ['kernel', 'packages'],
  // Tools for assistants, made from the protos.
  mcp: ['remote', 'packages'],
  // The commands of the command line; they open and connect modules like `app`.
  commands: [
    ...[
      'app',
      'mcp',
      'remote',
      'server',
      'housekeeping',
      'alerts',
      'imports',
      'marketplace',
      'journal',
      'campaigns',
      'rewards',
      'loyalty',
    ],
    ...['leaderboards', 'levels', 'statistics', 'webhooks', 'clients', 'audit', 'persistence', 'kernel', 'gen'],
  ],
  console: ['gen'],
  // The scripts of the docs pages; `.ci/docs` builds them.
  docs: [],
  gen: [],
  // The packages for clients, of which only commands for people import one.
  packages: [],
};

/** The reason why a file of `from` may not import a file of `to`, with the alternative; undefined if it may. */
export function refusal(from: string, to: string, file: string): string | undefined {
  if (from === to || from === MAIN) return undefined;
  const below = layers[from];
  if (!below) return `src/${from} is in no layer: give it a line in .ci/layers.ts.`;
  if (!below.includes(to)) {
    return `src/${from} does not stand on ${to} (.ci/layers.ts): let ${to} call ${from}, or take what is needed as an argument. If ${to} is below it in README's drawing, add it to the line.`;
  }
  if (file.endsWith('.entity.ts')) {
    return `A module's tables are touched by that module only: call a function of ${to} instead of importing its entity.`;
  }
  return undefined;
}

/** The module that connects the others, `main.ts` included. */
export const MAIN = 'app';

/** A folder of `src` with one entrance file, and the packages that only this folder may import. */
export type Enclosure = { readonly folder: string; readonly entrance: string; readonly packages: readonly string[] };

/** The driver uses undocumented parts of its package: docs/decisions/0093. */
export const enclosures: readonly Enclosure[] = [
  { folder: 'persistence/driver', entrance: 'driver.ts', packages: ['pg'] },
];

/**
 * The reason why `file` may not import `imported`; undefined if no enclosure refuses it.
 * @param imported a path below `src`, or the name of a package
 */
export function enclosedBy(file: string, imported: string): string | undefined {
  for (const { folder, entrance, packages } of enclosures) {
    if (file.startsWith(`${folder}/`)) continue;
    if (packages.includes(imported) || (imported.startsWith(`${folder}/`) && imported !== `${folder}/${entrance}`))
      return `Only src/${folder} may import ${imported} (.ci/layers.ts): import what src/${folder}/${entrance} exports, or let it export what is needed.`;
  }
  return undefined;
}

import type { Result } from '../benchmark.ts';
import { type Part, measuredTogether } from '../measured-together.ts';
import { accountIdOf } from '../growth/accounts.ts';
import { whole } from '../report.ts';
import { executeSql } from '../support/execute-sql.ts';
import { withWorkbench } from '../support/workbench.ts';
import { CODES, EARLY, operationIdOf, RARE } from './journal.ts';
import { measureLists } from './lists.ts';
import { asking, slowest, timed, type Timing } from './timing.ts';
import { createWorld, type World, type WorldSize } from './world.ts';

/** The number of accounts, unless LAUREL_BENCH_ACCOUNTS is set, and of journal entries per account. */
const ACCOUNTS = 1_000_000;
const ENTRIES_EACH = 10;

/** The maximum milliseconds of each read, with its description. */
const AIMS = {
  timeline: { ms: 50, what: 'a page of what happened to one account' },
  lists: { ms: 200, what: 'any of the first 100 pages of any list in any order' },
  overview: { ms: 100, what: 'the overview, and what needs attention' },
  journal: { ms: 200, what: 'a page of the journal, searched by anything' },
} as const;

type Name = keyof typeof AIMS;

const WORLD = `with a million accounts and ten million entries in the journal`;

function partOf(name: Name, state: string): Part {
  const { ms, what } = AIMS[name];
  return {
    about: `Milliseconds over REST to ${what}, the slowest, warm, ${WORLD}, ${state}, against ${ms}.`,
    aim: 1,
    lessIsBetter: true,
  };
}

const ANALYSED = 'analysed';
const FRESH = 'never analysed';

export default measuredTogether(
  'console',
  {
    timeline: partOf('timeline', ANALYSED),
    lists: partOf('lists', ANALYSED),
    overview: partOf('overview', ANALYSED),
    journal: partOf('journal', ANALYSED),
    'fresh-timeline': partOf('timeline', FRESH),
    'fresh-lists': partOf('lists', FRESH),
    'fresh-overview': partOf('overview', FRESH),
    'fresh-journal': partOf('journal', FRESH),
  },
  () =>
    withWorkbench('console', async (workbench) => {
      const accountCount = Number(process.env['LAUREL_BENCH_ACCOUNTS'] || ACCOUNTS);
      const size = { accountCount, entries: accountCount * ENTRIES_EACH };
      const world = await createWorld(workbench, size);
      const fresh = await measureAll(world, size);
      await executeSql(world.databaseUrl, ['vacuum analyze']);
      const analysed = await measureAll(world, size);
      return {
        ...analysed,
        'fresh-timeline': fresh.timeline,
        'fresh-lists': fresh.lists,
        'fresh-overview': fresh.overview,
        'fresh-journal': fresh.journal,
      };
    }),
);

async function measureAll(world: World, size: WorldSize): Promise<Readonly<Record<Name, Result>>> {
  const timeline = await measureTimelines(world, size);
  const journal = await measureJournal(world, size);
  const overview = await measureOverview(world);
  const lists = await measureLists(world);
  const details = {
    accounts: whole(size.accountCount),
    entries: whole(size.entries),
    loaded: `in ${whole(world.populatedIn)} s`,
  };
  return {
    timeline: resultOf('timeline', timeline, details),
    lists: resultOf('lists', lists, { measured: `${lists.length} pages` }),
    overview: resultOf('overview', overview),
    journal: resultOf('journal', journal),
  };
}

/** Timings in a result. */
const NAMED = 8;

function resultOf(name: Name, timings: readonly Timing[], more: Readonly<Record<string, string>> = {}): Result {
  const named = timings.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, NAMED);
  return {
    unit: 'ms',
    ours: slowest(timings).milliseconds,
    reference: AIMS[name].ms,
    details: { ...more, ...Object.fromEntries(named.map((each) => [each.what, `${each.milliseconds.toFixed(1)} ms`])) },
  };
}

/** Measures timelines: of the account with one event in a hundred, of some average accounts, and of one unknown to the journal. */
async function measureTimelines({ baseUrl, token }: World, { accountCount }: WorldSize): Promise<Timing[]> {
  const ask = asking(baseUrl, token);
  const numbers = [0, ...Array.from({ length: 10 }, (_, index) => Math.floor(((index + 0.5) * accountCount) / 10))];
  const timings: Timing[] = [];
  for (const number of numbers) {
    const path = `/admin/accounts/${accountIdOf(number)}/timeline?limit=50`;
    timings.push(await timed(ask, `timeline of account ${number}`, path));
    const { nextCursor } = await ask<{ nextCursor?: string }>(path);
    if (nextCursor === undefined) continue;
    timings.push(
      await timed(ask, `timeline of account ${number}, page 2`, `${path}&cursor=${encodeURIComponent(nextCursor)}`),
    );
  }
  return timings;
}

async function measureOverview({ baseUrl, token }: World): Promise<Timing[]> {
  const ask = asking(baseUrl, token);
  const from = new Date(Date.now() - 365 * 86_400_000).toISOString();
  return [
    await timed(ask, 'overview of a day', '/admin/statistics/overview'),
    await timed(ask, 'overview of a year', `/admin/statistics/overview?bucket=DAY&since=${from}`),
    await timed(ask, 'attention', '/admin/statistics/attention'),
  ];
}

async function measureJournal({ baseUrl, token }: World, { accountCount, entries }: WorldSize): Promise<Timing[]> {
  const ask = asking(baseUrl, token);
  const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const searches: Record<string, Record<string, string>> = {
    everything: {},
    'a common code': { programmaticCode: CODES[0]! },
    'a rare code': { programmaticCode: RARE },
    'a code that nobody sends': { programmaticCode: 'NEVER' },
    'an effect': { effect: 'NOTHING' },
    'an effect that nothing had': { effect: 'DEAD' },
    'an account with many events': { accountId: accountIdOf(0) },
    'an account': { accountId: accountIdOf(Math.floor(accountCount / 3)) },
    'the latest operation id': { operationId: operationIdOf(entries - 1) },
    'an early operation id': { operationId: operationIdOf(EARLY) },
    'an operation id that nobody sent': { operationId: 'never' },
    'an account and a code': { accountId: accountIdOf(0), programmaticCode: CODES[3]! },
    'a rare code until three days ago': { programmaticCode: RARE, until: threeDaysAgo },
    'everything until three days ago': { until: threeDaysAgo },
  };
  const timings: Timing[] = [];
  for (const [what, query] of Object.entries(searches)) {
    const path = `/admin/journal?${new URLSearchParams({ limit: '50', ...query })}`;
    timings.push(await timed(ask, `journal by ${what}`, path));
    const { nextCursor } = await ask<{ nextCursor?: string }>(path);
    if (nextCursor === undefined) continue;
    timings.push(await timed(ask, `journal by ${what}, page 2`, `${path}&cursor=${encodeURIComponent(nextCursor)}`));
  }
  return timings;
}

import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Result, Settings } from '../benchmark.ts';
import { whole } from '../report.ts';
import { executeSql } from '../support/execute-sql.ts';
import { inTurns } from '../support/in-turns.ts';
import type { Pgbench } from '../support/pgbench.ts';
import { median } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';
import { bestClientCount } from '../triggers/floor.ts';
import { accountIdOf, accountIdSql } from './accounts.ts';
import { POINTS } from './population.ts';
import { EVENT_CODES } from './trigger-requests.ts';
import type { Measured, World } from './world.ts';

/** A read over REST, and its SELECTs. */
export type Read = {
  readonly path: string;
  /** Hand-written SELECTs; `:client` and `:account` represent the ids. */
  readonly selects: readonly string[];
  /** The part of an answer that must be equal for every account. */
  readonly figuresOf: (answer: never) => unknown;
  readonly expected: unknown;
};

const ACCOUNT = `select id, external_id, email, name, time_zone, created_at, updated_at, deleted_at from account
  where client_id = :client and id = :account and deleted_at is null`;

/** The measured reads. */
export const reads = {
  feed: {
    path: '/v1/feed/account/{id}',
    selects: [
      ACCOUNT,
      'select catalog_version from client where id = :client',
      'select audience_id from audience_member where client_id = :client and account_id = :account',
      `select mission_id, period_key, id, progress, status, state, started_at, completed_at from assignment
        where client_id = :client and account_id = :account`,
    ],
    figuresOf: (items: readonly { status: string; progress: number }[]) => items.map(({ status }) => status),
    expected: EVENT_CODES.map(() => 'ACTIVE'),
  },
  points: {
    path: '/loyalty/accounts/{id}/points',
    selects: [
      ACCOUNT,
      `select available, spent, expired, lifetime_earned, next_expires_at, last_entry_at from point_balance
        where client_id = :client and account_id = :account`,
      `select campaign_id from campaign_completion
        where client_id = :client and account_id = :account and closed_at is null`,
    ],
    figuresOf: ({ available, spent }: { available: number; spent: number }) => ({ available, spent }),
    expected: { available: POINTS.available, spent: POINTS.spent },
  },
  'my-rewards': {
    path: '/v1/gamification/missions/my-rewards/{id}',
    selects: [
      ACCOUNT,
      `select id, reward_id, reward_type, amount, campaign_id, mission_id, assignment_id, webhook_context, created_at,
              status, product_id, redemption_id, delivered_at from earned_reward
        where client_id = :client and account_id = :account order by created_at desc, id desc`,
    ],
    figuresOf: (rewards: readonly { amount: number; status: string }[]) =>
      rewards.map(({ amount, status }) => ({ amount, status })),
    expected: [{ amount: POINTS.earned, status: 'DELIVERED' }],
  },
} as const satisfies Record<string, Read>;

const CONNECTIONS = 64;

/** Seconds until the code is hot. */
const WARM_UP = 4;

/** Measures a read over REST against its SELECTs by pgbench, on prepared statements and without a transaction. */
export function readMeasurement({ folder }: Workbench, world: World, pgbench: Pgbench, readerUrl: string) {
  return async (name: keyof typeof reads, settings: Settings): Promise<Result> => {
    const read: Read = reads[name];
    await checkAnswers(world, read);
    const script = join(folder, `${name}.sql`);
    await writeFile(script, scriptOf(read, world));
    const measure = await world.load(import.meta.resolve('./read-requests.ts'), { path: read.path });
    await measure({ connections: CONNECTIONS, seconds: WARM_UP });
    const clients = await bestClientCount((task) => pgbench({ script, databaseUrl: readerUrl, ...task }));
    const turns = await inTurns(
      settings,
      (seconds) => pgbench({ script, databaseUrl: readerUrl, clients, seconds }),
      (seconds) => measure({ connections: CONNECTIONS, seconds }),
    );
    const typical = (figure: (measured: Measured) => number) => median(turns.ours.map(figure));
    return {
      unit: 'reads/s',
      ours: typical(({ perSecond }) => perSecond),
      reference: median(turns.reference.map(({ transactionsPerSecond }) => transactionsPerSecond)),
      details: {
        'latency p50': `${typical(({ p50 }) => p50).toFixed(1)} ms with ${CONNECTIONS} connections`,
        'latency p99': `${typical(({ p99 }) => p99).toFixed(1)} ms`,
        'service, processor time': `${whole(typical(({ serviceMicros }) => serviceMicros))} µs per read`,
        pgbench: `${read.selects.length} SELECTs for each read, by ${clients} clients`,
      },
    };
  };
}

/**
 * Creates a login for pgbench that reads all rows under its own policy, so that the reference has no cost for a transaction or a client
 * setting. Returns its address.
 */
export async function createReader({ databaseUrl }: World): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const tables = ['account', 'client', 'audience_member', 'assignment', 'point_balance', 'campaign_completion'];
  const readable = [...tables, 'earned_reward'];
  await executeSql(databaseUrl, [
    `create role bench_reader login password '${password}'`,
    'grant usage on schema public to bench_reader',
    `grant select on ${readable.join(', ')} to bench_reader`,
    ...readable.map((table) => `create policy bench_reader on ${table} for select to bench_reader using (true)`),
  ]);
  const url = new URL(databaseUrl);
  url.username = 'bench_reader';
  url.password = password;
  return url.href;
}

function scriptOf({ selects }: Read, { clientId, accountCount }: World): string {
  const statements = selects.map((select) =>
    select.replaceAll(':client', `'${clientId}'`).replaceAll(':account', accountIdSql(':number')),
  );
  return `\\set number random(0, ${accountCount - 1})\n${statements.join(';\n')};\n`;
}

async function checkAnswers({ call, accountCount }: World, { path, figuresOf, expected }: Read): Promise<void> {
  for (const number of [0, Math.floor(accountCount / 2), accountCount - 1]) {
    const answer = await call<never>('GET', path.replace('{id}', accountIdOf(number)));
    if (isDeepStrictEqual(figuresOf(answer), expected)) continue;
    throw new Error(`GET ${path} of account ${number} answered ${JSON.stringify(answer)}.`);
  }
}

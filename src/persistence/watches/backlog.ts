import { Gauge, type Registry } from 'prom-client';
import type { Database, UnitOfWork } from '../database.ts';
import { ARRIVED } from '../moments.ts';

/** The maximum of counted rows of one queue. */
export const COUNTED_MAX = 10_000;

/** The maximum of clients whose oldest row is read. */
const CLIENTS_MAX = 1_000;

/** Milliseconds for which the values are cached. */
const FRESH_MS = 15_000;

/** Milliseconds that a scrape waits for the database; then it shows the previous values. */
const SCRAPE_TIMEOUT_MS = 500;

/** Waiting work in a table, of all clients. */
export type Backlog = {
  /** The label of its metrics. */
  readonly queue: string;
  readonly table: string;
  /** The SQL condition of waiting rows, on columns without an alias; a partial index should have it. */
  readonly where: string;
  /** The column with the start of the wait; left out if no index leads to the oldest row. */
  readonly since?: string;
  /** The columns after `client_id` of an index in which the oldest row of a client comes first. */
  readonly order?: string;
};

/**
 * Registers the metrics of waiting rows and their age. The cost does not depend on the backlog: it counts up to {@link
 * COUNTED_MAX}, finds the oldest row of each client by an index, and reads only for a scrape. With several processes
 * one process reads, and its values are not added up.
 */
export function backlogMetrics(
  registry: Registry,
  db: Pick<Database, 'systemUnitOfWork'>,
  backlogs: readonly Backlog[],
): void {
  const registers = [registry];
  const labelNames = ['queue'] as const;
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const rows = await db.systemUnitOfWork(async (uow) => {
      // Otherwise PostgreSQL would read the whole table if it was almost empty at the last ANALYZE.
      await uow.set({ enable_seqscan: 'off', enable_sort: 'off' });
      return Promise.all(backlogs.map((backlog) => depthOf(uow, backlog)));
    });
    for (const [index, { items: count, seconds, ahead: aheadSeconds }] of rows.entries()) {
      const { queue, since } = backlogs[index]!;
      items.set({ queue }, count);
      if (since === undefined) continue;
      oldest.set({ queue }, seconds ?? 0);
      ahead.set({ queue }, aheadSeconds ?? 0);
    }
    lastRead.set(Date.now() / 1_000);
  }

  async function refresh(): Promise<void> {
    if (reading === undefined && performance.now() - readAt >= FRESH_MS) {
      readAt = performance.now();
      // Other metrics report an unreachable database; here the time of the last reading does not advance.
      reading = read()
        .catch(() => {})
        .finally(() => (reading = undefined));
    }
    if (reading === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([reading, new Promise((resolve) => (timer = setTimeout(resolve, SCRAPE_TIMEOUT_MS)))]);
    clearTimeout(timer);
  }

  const items: Gauge<'queue'> = new Gauge({
    name: 'laurel_backlog_items',
    help: `Waiting rows of all clients, by queue; ${COUNTED_MAX} means that many or more.`,
    labelNames,
    registers,
    aggregator: 'max',
    collect: refresh,
  });
  const oldest: Gauge<'queue'> = new Gauge({
    name: 'laurel_backlog_oldest_seconds',
    help: 'Age of the oldest waiting row in seconds, by queue; 0 without waiting rows.',
    labelNames,
    registers,
    aggregator: 'max',
    collect: refresh,
  });
  const ahead: Gauge<'queue'> = new Gauge({
    name: 'laurel_backlog_ahead_seconds',
    help: "Seconds by which the newest waiting row is ahead of PostgreSQL's clock, which was set back, by queue; 0 without such rows.",
    labelNames,
    registers,
    aggregator: 'max',
    collect: refresh,
  });
  const lastRead: Gauge = new Gauge({
    name: 'laurel_backlog_read_timestamp_seconds',
    help: 'Time of the last count of waiting rows, in seconds since 1970; 0 before the first.',
    registers,
    aggregator: 'max',
    collect: refresh,
  });
}

type Depth = { readonly items: number; readonly seconds: number | null; readonly ahead: number | null };

/**
 * SQL for the start of the wait of each client's first row, along an index from client to client; with `desc` of the last row, which is the
 * newest.
 */
function momentsOf({ table, where, since, order = 'id' }: Backlog, direction: 'asc' | 'desc'): string {
  const columns = ['client_id', ...order.split(', ')].map((column) => `${column} ${direction}`).join(', ');
  const row = (and: string) =>
    `select client_id, ${since} as at from ${table} where ${where} ${and} order by ${columns} limit 1`;
  return `with recursive each_client as (
            (${row('')})
            union all
            select n.client_id, n.at from each_client e
             cross join lateral (${row(`and client_id ${direction === 'asc' ? '>' : '<'} e.client_id`)}) n
          ) select at from each_client limit ${CLIENTS_MAX}`;
}

/** SQL for the seconds by which the newest row is ahead of the clock: 0 if none is, null without waiting rows. */
export function aheadSql(backlog: Backlog): string {
  return `(select greatest(0, extract(epoch from max(at) - clock_timestamp()))::float8 from (${momentsOf(backlog, 'desc')}) f)`;
}

/** The same as a separate statement for a database on several nodes: a row with `ahead`. */
export function aheadOnNodesSql({ table, where, since }: Backlog): string {
  return `select ${aheadOf(since)} as ahead from ${table} where ${where}`;
}

const aheadOf = (since: string | undefined) => `greatest(0, extract(epoch from max(${since}) - ${ARRIVED}))::float8`;

/** The number of waiting rows and the age of the oldest in seconds, in a system unit of work. */
async function depthOf(uow: UnitOfWork, backlog: Backlog): Promise<Depth> {
  if (await uow.isDistributed()) return depthOnNodes(uow, backlog);
  const { table, where, since } = backlog;
  const seconds = `(select greatest(0, extract(epoch from clock_timestamp() - min(at)))::float8 from (${momentsOf(backlog, 'asc')}) f)`;
  const [row] = await uow.query<Depth>(
    `select (select count(*) from (select 1 from ${table} where ${where} limit ${COUNTED_MAX}) c)::int as items,
            ${since === undefined ? 'null::float8' : seconds} as seconds,
            ${since === undefined ? 'null::float8' : aheadSql(backlog)} as ahead`,
  );
  return row!;
}

/** The same for clients on several nodes, which no common index connects: each node reads its waiting rows. */
async function depthOnNodes(uow: UnitOfWork, { table, where, since }: Backlog): Promise<Depth> {
  const [counted, oldest] = await Promise.all([
    uow.query<{ items: number }>(
      `select count(*)::int as items from (select 1 from ${table} where ${where} limit ${COUNTED_MAX}) c`,
    ),
    since === undefined
      ? undefined
      : uow.query<Omit<Depth, 'items'>>(
          `select greatest(0, extract(epoch from ${ARRIVED} - min(${since})))::float8 as seconds,
                  ${aheadOf(since)} as ahead from ${table} where ${where}`,
        ),
  ]);
  return { items: counted[0]!.items, ...(oldest?.[0] ?? { seconds: null, ahead: null }) };
}

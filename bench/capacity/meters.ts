import pg from 'pg';
import type { Database } from '../../src/persistence/database.ts';
import { processMetrics } from '../support/process-metrics.ts';
import type { PostgresProcesses } from './processor-time.ts';
import { type TableSize, tableSizes } from './sizes.ts';

/** The cost of one piece of a kind of work. */
export type Cost = {
  readonly name: string;
  readonly count: number;
  /** Microseconds of processor time of the service, and of all PostgreSQL processes. */
  readonly serviceMicros: number;
  readonly postgresMicros: number;
  /** Bytes of the write-ahead log, and the number of its full-page records, which the first change after a checkpoint writes. */
  readonly walBytes: number;
  readonly fullPages: number;
  /** The total growth of the tables; only tables that grew. */
  readonly grown: ReadonlyMap<string, TableSize>;
};

/** The sources of the measurements. */
export type Meters = {
  readonly db: Database;
  readonly baseUrl: string;
  readonly postgres: PostgresProcesses;
  /** The address with a superuser's login, which may request a checkpoint. */
  readonly adminUrl: string;
};

/** Whether each page is changed for the first time since a checkpoint, or again. */
export type After = 'checkpoint' | 'others';

/**
 * Does a piece of work and returns its cost.
 * @param work returns the number of pieces done
 */
export async function measureCost(
  meters: Meters,
  name: string,
  work: () => Promise<number>,
  after: After = 'others',
): Promise<Cost> {
  if (after === 'checkpoint') await ask(meters.adminUrl, 'checkpoint');
  const sizesBefore = await tableSizes(meters.db);
  const before = await read(meters);
  const count = await work();
  const now = await read(meters);
  const sizes = await tableSizes(meters.db);
  return {
    name,
    count,
    serviceMicros: ((now.serviceSeconds - before.serviceSeconds) * 1e6) / count,
    postgresMicros: ((now.postgresSeconds - before.postgresSeconds) * 1e6) / count,
    walBytes: (now.wal - before.wal) / count,
    fullPages: (now.fullPages - before.fullPages) / count,
    grown: new Map([...sizes].flatMap(([table, size]) => difference(table, sizesBefore.get(table), size))),
  };
}

async function read({ baseUrl, postgres, adminUrl }: Meters) {
  const { processorSeconds } = await processMetrics(baseUrl);
  const [row] = await ask<{ wal: string; full_pages: string }>(
    adminUrl,
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal, wal_fpi as full_pages from pg_stat_wal`,
  );
  return {
    serviceSeconds: processorSeconds,
    postgresSeconds: await postgres.processorSeconds(),
    wal: Number(row!.wal),
    fullPages: Number(row!.full_pages),
  };
}

function difference(table: string, before: TableSize | undefined, size: TableSize): [string, TableSize][] {
  const indexes = [...size.indexes].map(([name, bytes]) => [name, bytes - (before?.indexes.get(name) ?? 0)] as const);
  const grown = {
    table,
    rows: size.rows - (before?.rows ?? 0),
    bytes: size.bytes - (before?.bytes ?? 0),
    indexes: new Map(indexes),
  };
  return grown.bytes > 0 || indexes.some(([, bytes]) => bytes > 0) ? [[table, grown]] : [];
}

async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

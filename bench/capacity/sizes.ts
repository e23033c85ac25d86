import type { Database } from '../../src/persistence/database.ts';

/** The size of a table on disk. */
export type TableSize = {
  readonly table: string;
  /** The number of rows; for the journal, the number of entries and not of batches. */
  readonly rows: number;
  /** Bytes of its rows, with TOAST and maps. */
  readonly bytes: number;
  /** Bytes of each index, by name. */
  readonly indexes: ReadonlyMap<string, number>;
};

/** The sizes of all tables, including their partitions. */
export async function tableSizes(db: Database): Promise<ReadonlyMap<string, TableSize>> {
  return db.systemUnitOfWork(async (uow) => {
    const tables = await uow.query<{ name: string; bytes: string }>(TABLES);
    const indexes = await uow.query<{ name: string; of: string; bytes: string }>(INDEXES);
    const sizes: [string, TableSize][] = [];
    for (const { name, bytes } of tables) {
      const count = name === 'journal_batch' ? 'coalesce(sum(cardinality(account_ids)), 0)' : 'count(*)';
      const [row] = await uow.query<{ rows: string }>(`select ${count} as rows from "${name}"`);
      const own = indexes.filter(({ of }) => of === name).map((index) => [index.name, Number(index.bytes)] as const);
      sizes.push([name, { table: name, rows: Number(row!.rows), bytes: Number(bytes), indexes: new Map(own) }]);
    }
    return new Map(sizes);
  });
}

/** Rows and indexes together. */
export function allBytes({ bytes, indexes }: TableSize): number {
  return [...indexes.values()].reduce((sum, index) => sum + index, bytes);
}

/** The service's own tables, without those that none of its roles may read. */
const OURS = `c.relnamespace = 'public'::regnamespace and c.relname not like 'mikro_orm%'
  and has_table_privilege('laurel_system', c.oid, 'select')`;

const TABLES = `
  select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name, sum(pg_table_size(c.oid)) as bytes
    from pg_class c where c.relkind in ('r', 'p') and ${OURS} group by 1 order by 1`;

const INDEXES = `
  select coalesce(pg_partition_root(i.indexrelid), i.indexrelid)::regclass::text as name,
         coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as of, sum(pg_relation_size(i.indexrelid)) as bytes
    from pg_class c join pg_index i on i.indrelid = c.oid where ${OURS} group by 1, 2 order by 1`;

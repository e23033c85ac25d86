import pg from 'pg';

/** A row of a table as it is in a dump, bytes as hexadecimal digits. */
export type DumpedRow = { readonly table: string; readonly row: string };

/** All rows of all tables, without row-level security. */
export async function everyRow(databaseUrl: string): Promise<DumpedRow[]> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    const { rows: tables } = await owner.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const rows: DumpedRow[] = [];
    for (const { name } of tables) {
      await owner.query('begin; set local role laurel_system');
      const found = await owner
        .query<{ row: object }>(`select to_jsonb(x) as row from ${name} x`)
        .catch(() => undefined);
      await owner.query('rollback');
      for (const { row } of found?.rows ?? []) rows.push({ table: name, row: JSON.stringify(row) });
    }
    return rows;
  } finally {
    await owner.end();
  }
}

/** The tables that contain a text, in plain form or in bytes. */
export function tablesWith(rows: readonly DumpedRow[], text: string): string[] {
  const spellings = [text, Buffer.from(text).toString('hex')];
  return [...new Set(rows.filter(({ row }) => spellings.some((each) => row.includes(each))).map(({ table }) => table))];
}

/**
 * Statements of a migration that read or change rows. Row-level security binds the owner of the tables, who migrates, as
 * well: without this they would find no row, and say nothing of it.
 */
export function onEveryClient(sql: string): string {
  return `set local role laurel_system; ${sql}; set local role none;`;
}

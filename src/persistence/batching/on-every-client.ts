/**
 * Statements of a migration that read or change rows. Row-level security binds the owner of the tables, who migrates, as
 * well: without this they would find no row, and say nothing of it.
 */
export function onEveryClient(sql: string): string {
  return `${SEE_EVERY_CLIENT}; ${sql}; ${SEE_NO_CLIENT};`;
}

/** What {@link onEveryClient} puts around statements, for those that are sent one by one. */
export const SEE_EVERY_CLIENT = 'set local role laurel_system';
export const SEE_NO_CLIENT = 'set local role none';

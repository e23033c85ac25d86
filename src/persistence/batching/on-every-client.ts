/**
 * Wraps statements of a migration that read or change rows. Row-level security also applies to the migrating owner of
 * the tables: without this they would find no rows, without an error.
 */
export function onEveryClient(sql: string): string {
  return `${SEE_EVERY_CLIENT}; ${sql}; ${SEE_NO_CLIENT};`;
}

/** The statements before and after those of {@link onEveryClient}, to send one by one. */
export const SEE_EVERY_CLIENT = 'set local role laurel_system';
export const SEE_NO_CLIENT = 'set local role none';

import { hash } from 'node:crypto';

/** The cached names; every connection of the process prepares the same statements. */
const names = new Map<string, string>();

/** The maximum of cached names: several times the number of the service's statements. Further ones are computed again. */
const REMEMBERED = 2_000;

/**
 * The name of a prepared statement, made from its text. A pooler lends one server connection to several processes, so a name must never
 * belong to two statements.
 */
export function statementName(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  // 128 bits; PostgreSQL cuts names off after 63 characters.
  const name = `laurel_${hash('sha256', sql).slice(0, 32)}`;
  if (names.size < REMEMBERED) names.set(sql, name);
  return name;
}

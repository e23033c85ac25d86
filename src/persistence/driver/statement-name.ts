import { hash } from 'node:crypto';

/** Names that were made so far; every connection of the process prepares the same statements. */
const names = new Map<string, string>();

/** Names remembered: several times the statements that this service has. Those beyond are computed again. */
const REMEMBERED = 2_000;

/**
 * The name of a prepared statement, made from its text. A pooler lends one server connection to several processes, so a name
 * must never stand for two statements.
 */
export function statementName(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  // 128 bits; PostgreSQL cuts names off after 63 characters.
  const name = `laurel_${hash('sha256', sql).slice(0, 32)}`;
  if (names.size < REMEMBERED) names.set(sql, name);
  return name;
}

import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { executeSql } from '../support/execute-sql.ts';
import type { Workbench } from '../support/workbench.ts';
import type { Shop } from './world.ts';

/** SQL for the words in braces of a script. */
export type Words = Readonly<Record<string, string>>;

/** A hand-written transaction, and the words in it. */
export type Script = { readonly name: 'purchase' | 'redeem' | 'claim' | 'chest'; readonly words: Words };

/**
 * Writes a script for pgbench.
 * @returns its path
 * @throws Error for a word in the script that is not given
 */
export async function writeScript({ folder }: Workbench, { name, words }: Script): Promise<string> {
  const text = await readFile(join(import.meta.dirname, 'by-hand', `${name}.sql`), 'utf8');
  const filled = text.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
    const sql = words[word];
    if (sql === undefined) throw new Error(`Nobody says what {${word}} of ${name}.sql is.`);
    return sql;
  });
  const file = join(folder, `${name}.sql`);
  await writeFile(file, filled);
  return file;
}

/**
 * Creates a login for pgbench that sees all rows, so that the reference has no cost for a client setting, and sequences for work that can
 * be done once. Returns its address.
 */
export async function createHand({ databaseUrl }: Pick<Shop, 'databaseUrl'>): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  await executeSql(databaseUrl, [
    `create role bench_hand login password '${password}' in role laurel_system`,
    'create sequence bench_number minvalue 0',
    'grant usage on sequence bench_number to bench_hand',
  ]);
  const url = new URL(databaseUrl);
  url.username = 'bench_hand';
  url.password = password;
  return url.href;
}

/** An SQL literal of ids. */
export function idsSql(ids: readonly string[]): string {
  return `'{${ids.join(',')}}'::uuid[]`;
}

/** An SQL literal of JSON. pgbench reads a colon before a letter as a variable. */
export function jsonSql(value: unknown): string {
  return `'${JSON.stringify(value).replaceAll(':', ': ')}'::jsonb`;
}

import { migrate } from '../../src/persistence/migrate.ts';
import { executeSql } from './execute-sql.ts';

/** Creates and migrates the database `name` on the server at `url`; returns its address. */
export async function migratedDatabase(url: string, name: string): Promise<string> {
  await executeSql(url, [`create database ${name}`]);
  const own = new URL(url);
  own.pathname = `/${name}`;
  await migrate(own.href);
  return own.href;
}

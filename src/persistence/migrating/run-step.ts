import { SEE_EVERY_CLIENT, SEE_NO_CLIENT } from '../batching/on-every-client.ts';
import { inTransaction, outsideOfTransactions, type MigrationRun } from './lock-retries.ts';
import type { Step } from './step.ts';

/** Runs one step of a migration while calls continue. @throws the error of the step, which may then be run again */
export async function runStep(migrationRun: MigrationRun, step: Step): Promise<void> {
  if ('sql' in step) return void (await inTransaction(migrationRun, (em) => em.execute(step.sql)));
  if ('index' in step) return buildIndex(migrationRun, step);
  if ('reindex' in step) return rebuildIndex(migrationRun, step.reindex);
  if ('validate' in step) {
    const sql = `alter table "${step.of}" validate constraint "${step.validate}"`;
    return void (await inTransaction(migrationRun, (em) => em.execute(sql)));
  }
  while (await changeSlice(migrationRun, step.slices));
}

async function buildIndex(migrationRun: MigrationRun, { index, on }: { index: string; on: string }): Promise<void> {
  const dropPart = () => dropInvalid(migrationRun, `c.relname = '${index}'`);
  await outsideOfTransactions(migrationRun, `create index concurrently if not exists "${index}" on ${on}`, dropPart);
}

async function rebuildIndex(migrationRun: MigrationRun, index: string): Promise<void> {
  // The name of PostgreSQL's temporary index after an interruption.
  const dropPart = () => dropInvalid(migrationRun, `c.relname ~ '^${index}_cc(new|old)[0-9]*$'`);
  await outsideOfTransactions(migrationRun, `reindex index concurrently "${index}"`, dropPart);
}

/** Drops invalid indexes: every write maintains an index whose build was interrupted, and no read uses it. */
async function dropInvalid(migrationRun: MigrationRun, which: string): Promise<void> {
  const invalid = await migrationRun.orm.em.fork().execute<Array<{ name: string }>>(
    `select c.relname as name from pg_class c join pg_index i on i.indexrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and not i.indisvalid and ${which}`,
  );
  for (const { name } of invalid) {
    await outsideOfTransactions(migrationRun, `drop index concurrently if exists "${name}"`);
  }
}

/** Changes one slice of rows; returns false if no row was left. */
function changeSlice(migrationRun: MigrationRun, sql: string): Promise<boolean> {
  return inTransaction(migrationRun, async (em) => {
    await em.execute(SEE_EVERY_CLIENT);
    const { affectedRows } = await em.execute<{ affectedRows: number }>(sql, [], 'run');
    await em.execute(SEE_NO_CLIENT);
    return affectedRows > 0;
  });
}

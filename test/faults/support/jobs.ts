import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { TestService } from '../../support/service.ts';
import type { JobName } from './job-process.ts';

/** A job of a client, and the address of the database for its process. */
export type Job = Pick<TestService, 'databaseUrl' | 'clientId'> & { readonly name: JobName };

/** Starts a process that runs a job, and resolves when it begins. It is killed at the end of the test. */
export async function startJob({ databaseUrl, clientId, name }: Job): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'job-process.ts');
  const child = spawn(process.execPath, [script, databaseUrl, clientId, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/** Two connections to the database of a service. */
export type Connections = {
  /** Locks rows; it has the rights of the service. */
  readonly reader: Client;
  /** Sees all sessions. */
  readonly operator: Client;
};

/**
 * Starts a process that runs a job, and resolves when it waits for the row that `sql` locks or changes.
 * @returns the process, and a function that ends the transaction of `sql`
 */
export async function runUpTo(
  job: Job,
  { reader, operator }: Connections,
  sql: string,
  values: readonly unknown[],
): Promise<[ChildProcess, (how?: 'rollback' | 'commit') => Promise<unknown>]> {
  await reader.query('begin');
  expect((await reader.query(sql, [...values])).rowCount).toBe(1);
  const child = await startJob(job);
  const waiting = async () => {
    const { rows } = await operator.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  await expect.poll(waiting, { interval: 5, timeout: 30_000 }).toBe(1);
  return [child, (how = 'rollback') => reader.query(how)];
}

/** Kills a process, unless it has ended, and waits for its end. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

import { execFile } from 'node:child_process';
import { cpus, totalmem, type } from 'node:os';
import { promisify } from 'node:util';
import { postgresBinaries } from '../src/persistence/postgres/postgres-binaries.ts';

/** The conditions of a figure besides the code, in words. */
export type Machine = {
  readonly processors: string;
  readonly memory: string;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
};

/** This machine. */
export async function describeMachine(): Promise<Machine> {
  const cores = cpus();
  return {
    processors: `${cores.length} cores of ${cores[0]?.model.trim() ?? 'an unknown processor'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB of memory`,
    system: type(),
    node: process.versions.node,
    postgres: await postgresVersion(),
  };
}

/** The version of the PostgreSQL that npm installed: every benchmark runs on it. */
async function postgresVersion(): Promise<string> {
  const { pgCtl } = await postgresBinaries();
  const { stdout } = await promisify(execFile)(pgCtl, ['--version']);
  return stdout.replace('pg_ctl', '').replace(/[()]/g, '').trim();
}

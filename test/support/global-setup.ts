import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/persistence/postgres/embedded-postgres.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import { clusterOf, createDistributedTemplate, dropDistributed, type Cluster } from './citus.ts';
import { createDatabase, dropDatabase } from './databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database that each test file clones. Nobody may connect to it, or cloning fails. */
    templateUrl: string;
    /** Where databases are spread over the nodes of a Citus: only `npm run test:distributed`. */
    cluster?: Cluster;
  }
}

/** Crash safety costs a test run time and gives it nothing. */
const FAST = { fsync: 'off', full_page_writes: 'off', shared_buffers: '128MB' };

/**
 * One PostgreSQL for the whole run: embedded, or the one at TEST_DATABASE_URL, whose login must be allowed CREATE
 * DATABASE and CREATE ROLE.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.LAUREL_TEST_DISTRIBUTED) return setUpDistributed(project, process.env.CITUS_URL!);
  await removeAbandoned();
  const server = process.env.TEST_DATABASE_URL
    ? { url: process.env.TEST_DATABASE_URL, close: async () => {} }
    : await ownServer();
  const templateUrl = await createDatabase(server.url, `laurel_template_${process.pid}`);
  await migrate(templateUrl);
  project.provide('templateUrl', templateUrl);
  return async () => {
    await dropDatabase(server.url, templateUrl);
    await server.close();
  };
}

/** The cluster at CITUS_URL, whose login must be a superuser. */
async function setUpDistributed(project: TestProject, citusUrl: string): Promise<() => Promise<void>> {
  const cluster = await clusterOf(citusUrl);
  const templateUrl = await createDistributedTemplate(cluster, `laurel_template_${process.pid}`);
  project.provide('templateUrl', templateUrl);
  project.provide('cluster', cluster);
  return () => dropDistributed(cluster, templateUrl);
}

/** Of this run's server, or of one that a test runs itself. */
const FOLDER = /^laurel-test-(\d+)(?:-.*)?$/;

/** The process number in the name tells a later run whether the folder is still in use. */
async function ownServer(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = join(tmpdir(), `laurel-test-${process.pid}`);
  const server = await startEmbeddedPostgres({ folder, settings: FAST });
  return {
    url: server.url,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A run that was killed has stopped neither its server nor removed its folder. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    const server = await startEmbeddedPostgres({ folder }).catch(() => undefined);
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

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
    /** The migrated database that each test file clones. It accepts no connections, or cloning fails. */
    templateUrl: string;
    /** The cluster, if databases are distributed over the nodes of a Citus: only `npm run test:distributed`. */
    cluster?: Cluster;
  }
}

/** Settings without crash safety, which costs a test run time and has no use in it. */
const FAST = { fsync: 'off', full_page_writes: 'off', shared_buffers: '128MB' };

/** One PostgreSQL for the whole run: embedded, or the one at TEST_DATABASE_URL, whose login must have CREATE DATABASE and CREATE ROLE. */
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

/** Uses the cluster at CITUS_URL, whose login must be a superuser. */
async function setUpDistributed(project: TestProject, citusUrl: string): Promise<() => Promise<void>> {
  const cluster = await clusterOf(citusUrl);
  const templateUrl = await createDistributedTemplate(cluster, `laurel_template_${process.pid}`);
  project.provide('templateUrl', templateUrl);
  project.provide('cluster', cluster);
  return () => dropDistributed(cluster, templateUrl);
}

/** The folder of a run's server, or of a test's own server. */
const FOLDER = /^laurel-test-(\d+)(?:-.*)?$/;

/** The process number in the name shows a later run whether the folder is still in use. */
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

/** Removes the servers and folders of killed runs. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    const server = await startEmbeddedPostgres({ folder }).catch(() => undefined);
    // Another run that has just begun may remove it as well.
    await server?.close().catch(() => {});
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

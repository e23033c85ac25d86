import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, inject } from 'vitest';
import { createDemoShop } from '../../../src/commands/demo-shop.ts';
import { numbered } from '../../operations/changes/feed.ts';
import { OFFLINE, python, root } from '../../packages/python/installed.ts';
import { ok } from '../../support/administration.ts';
import { createDatabase, dropDatabase } from '../../support/databases.ts';
import { programsFolder } from '../../support/server-programs.ts';
import { type RestAnswer, restAs, startService } from '../../support/service.ts';
import { printedBy, type Step, variablesOf } from './page-steps.ts';

const run = promisify(execFile);

/** The wheel of DuckDB that setup has laid. */
const wheel = python && globSync('.laurel/python/wheels/duckdb-*.whl', { cwd: root })[0];

/** Whether this machine can run the part about DuckDB. */
export const hasDuckDb = wheel !== undefined;

/** A part of the feed as a file, and the cursor before it. */
export type PageFile = { readonly file: string; readonly after: string };

/** The command by which load.sh loads a page. */
const LOAD = '. ./laurel.sh; warehouse -v after="$AFTER" -f load.sql < "$FILE"';

/** Runs the steps of docs/guide/warehouse.md in an empty folder, with an empty database and the service of a demo. */
export async function followPage(steps: readonly Step[]) {
  const service = await startService();
  const { clientId, apiKey, accessToken } = await createDemoShop(service.app.operations);
  const folder = await mkdtemp(join(tmpdir(), 'laurel-warehouse-'));
  const name = `laurel_warehouse_${randomBytes(6).toString('hex')}`;
  const warehouse = await createDatabase(inject('templateUrl'), name);
  const paths = [programsFolder!, await pythonFolder(folder), process.env['PATH']].join(delimiter);
  const variables = {
    ...variablesOf(service.baseUrl, apiKey, accessToken),
    WAREHOUSE: warehouse,
    PATH: paths,
    TMPDIR: folder,
  };
  const [, ...printed] = await printedBy([{ command: `cd '${folder}'\n`, expected: undefined }, ...steps], variables);
  // The test itself waits for the numbers of changes.
  const env = { ...process.env, ...variables, 'BASH_FUNC_sleep%%': '() { :; }' };
  const client = new pg.Client({ connectionString: warehouse });
  await client.connect();
  const rest = restAs(service.baseUrl, { clientId, apiKey, adminToken: accessToken });

  /** Rows of the copy. */
  const asked = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
  /** Runs a program of the page; returns its output. */
  const program = async (file: string, ...args: string[]) => {
    await numbered({ db: service.db, clientId });
    return (await run('bash', [file, ...args], { cwd: folder, env })).stdout;
  };

  return {
    /** The outputs of the steps. */
    printed,
    folder,
    env,
    warehouse,
    rest,
    adminToken: accessToken,
    baseUrl: service.baseUrl,
    asked,
    program,
    post: (path: string, body: object = {}): Promise<RestAnswer['body']> => ok(rest('POST', path, body)),

    /** Every row of the copy. */
    rows: async () => ({
      feed: await asked('select * from laurel.feed'),
      changes: await asked('select * from laurel.change order by place'),
      entries: await asked('select * from laurel.point_entry order by id'),
      rewards: await asked('select * from laurel.earned_reward order by id'),
    }),

    /** The page behind the cursor of the copy, as a file. */
    async pageFile(): Promise<PageFile> {
      await numbered({ db: service.db, clientId });
      const [feed] = await asked('select cursor from laurel.feed');
      const after = feed!['cursor'] as string;
      const headers = { authorization: `Bearer ${apiKey}` };
      const answer = await fetch(`${service.baseUrl}/v1/changes.ndjson?after=${after}`, { headers });
      const file = join(folder, `page-${randomBytes(4).toString('hex')}.ndjson`);
      await writeFile(file, await answer.text());
      return { file, after };
    },

    /** The program, arguments and options with which Node loads a file as load.sh does. */
    loadOf: ({ file, after }: PageFile, command = LOAD) =>
      ['bash', ['-c', command], { cwd: folder, env: { ...env, AFTER: after, FILE: file } }] as const,
    loadFile(page: PageFile) {
      const [bash, args, options] = this.loadOf(page);
      return run(bash, args, options);
    },

    /** Expects that no balance differs from the service's. */
    async expectSame(): Promise<void> {
      expect(await program('compare.sh')).toBe('account_id,copy,service\n');
    },

    /** Loads, and compares the earned rewards of accounts with the service's. */
    async expectRewards(...accounts: readonly string[]): Promise<void> {
      await program('load.sh');
      for (const id of accounts) {
        const answer: { id: string; status: string }[] = await ok(
          rest('GET', `/v1/gamification/missions/my-rewards/${id}`),
        );
        const found = await asked(`select id, status from laurel.reward_of_survivor where account_id = '${id}'`);
        const inOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
        expect(inOrder(found)).toEqual(inOrder(answer.map((each) => ({ id: each.id, status: each.status }))));
        expect(found.length).toBeGreaterThan(0);
      }
    },

    async close() {
      await client.end();
      await service.close();
      await dropDatabase(inject('templateUrl'), warehouse);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of a Python with DuckDB, if there is one. */
async function pythonFolder(folder: string): Promise<string> {
  if (python === undefined || wheel === undefined) return dirname(process.execPath);
  const own = join(folder, '.venv');
  await run(python.path, ['-m', 'venv', '--without-pip', own]);
  const path = join(own, 'bin/python3');
  await run(python.path, ['-m', 'pip', '--python', path, 'install', '--quiet', join(root, wheel)], {
    env: { ...process.env, ...OFFLINE },
  });
  return dirname(path);
}

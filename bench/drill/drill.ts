import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mustRun } from '../../test/support/backup-page.ts';
import { serverFolder } from '../../test/support/server-programs.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { type Load, repeatAll, sendEvent, startLoad, type Target } from './load.ts';
import type { Method, Prepared, Workspace } from './method.ts';

/** The result of a drill. */
export type Found = {
  readonly method: Method;
  /** Events that were answered before the loss. */
  readonly answered: number;
  /** The answered events that are not in the restored database. */
  readonly lost: number;
  /** Seconds from the first lost answer to the loss. */
  readonly lostSeconds: number;
  /** Seconds from the loss to the first event that is answered again. */
  readonly recoverySeconds: number;
  /** The last line of `laurel verify`. */
  readonly verified: string;
  /** Whether the loss was within the guarantee. */
  readonly kept: boolean;
};

/** Milliseconds of load before the backup, and after it. */
const LOAD = 8_000;

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Load, backup, more load, loss, restore, start, verify. Cleans up after any result. */
export async function drill(method: Method): Promise<Found> {
  const folder = serverFolder(join(tmpdir(), `laurel-drill-${process.pid}-${Date.now()}`));
  const cleanUps = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  const workspace = { folder, dataFolder: join(folder, 'laurel-data'), cleanUps };
  try {
    return await run(method, await method.prepare(workspace), workspace);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function run(method: Method, prepared: Prepared, workspace: Workspace): Promise<Found> {
  const loads: Load[] = [];
  let service = await serve(prepared, workspace);
  const apiKey = await demoKey(workspace);
  const target = (): Target => ({ baseUrl: service.baseUrl, apiKey });
  const load = (name: string) => {
    const started = startLoad(target(), name);
    loads.push(started);
    return started;
  };

  let running = load('before');
  await sleep(LOAD);
  if (prepared.stopsService) {
    await running.stop();
    await service.stop();
  }
  const backupAt = performance.now();
  await prepared.backup();
  if (prepared.stopsService) {
    service = await serve(prepared, workspace);
    running = load('after');
  }
  await sleep(LOAD);

  const lossAt = performance.now();
  await service.kill();
  await prepared.lose();
  await running.stop();
  await prepared.restore();
  service = await serve(prepared, workspace);
  while ((await sendEvent(target(), { operationId: 'again', accountId: 'account-0' })) === 'unanswered')
    await sleep(50);
  const recoverySeconds = (performance.now() - lossAt) / 1_000;

  const answered = loads.flatMap((each) => each.answered);
  const lost = await repeatAll(target(), answered);
  const first = Math.min(lossAt, ...lost.map(({ at }) => at));
  const words = await mustRun('look', { ...prepared.env, LAUREL_DATA: workspace.dataFolder });
  return {
    method,
    answered: answered.length,
    lost: lost.length,
    lostSeconds: (lossAt - first) / 1_000,
    recoverySeconds,
    verified: words.trim().split('\n').at(-1) ?? '',
    kept: first >= method.keeps(backupAt, lossAt),
  };
}

/** The API key of the demo, which is created after the port is open. */
async function demoKey({ dataFolder }: Workspace): Promise<string> {
  for (;;) {
    const text = await readFile(join(dataFolder, 'demo.json'), 'utf8').catch(() => '');
    if (text.endsWith('}\n')) return (JSON.parse(text) as { apiKey: string }).apiKey;
    await sleep(50);
  }
}

/** The service as `npm start` runs it, with the demo on a new database. */
async function serve({ env }: Prepared, { folder, dataFolder, cleanUps }: Workspace): Promise<ServerProcess> {
  const service = await startServerProcess({
    args: [MAIN, 'serve', '--migrate', '--demo'],
    env: { ...env, PORT: '0', HOST: '127.0.0.1', LAUREL_DATA: dataFolder },
    logFile: join(folder, 'service.log'),
  });
  cleanUps.push(service.stop);
  return service;
}

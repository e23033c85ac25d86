import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import type { Workbench } from './workbench.ts';

/** The service on one database of a workbench. */
export type ServiceOptions = {
  /** The name of its log and its data folder in the workbench. */
  readonly name: string;
  readonly databaseUrl: string;
  /** Settings beside the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
};

/** Starts the service as `npm start` does, in a separate process. The database must be migrated. */
export async function startServiceProcess(
  { folder, cleanUps }: Workbench,
  { name, databaseUrl, env }: ServiceOptions,
): Promise<ServerProcess> {
  const server = await startServerProcess({
    args: [fileURLToPath(new URL('../../src/main.ts', import.meta.url)), 'serve'],
    env: { DATABASE_URL: databaseUrl, PORT: '0', HOST: '127.0.0.1', LAUREL_DATA: join(folder, name), ...env },
    logFile: join(folder, `${name}.log`),
  });
  cleanUps.push(server.stop);
  return server;
}

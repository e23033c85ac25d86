import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server in a separate process. */
export type ServerProcess = {
  readonly baseUrl: string;
  readonly port: number;
  /** Ends it as an operator would, by SIGTERM. */
  stop(): Promise<void>;
  /** Ends it immediately, by SIGKILL. */
  kill(): Promise<void>;
};

/** The program and its environment. */
export type ServerProcessOptions = {
  /** The script and its arguments. */
  readonly args: readonly string[];
  /** Variables beside the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** The file for its standard output and error. The server has to log its port there: `"port":8080`. */
  readonly logFile: string;
};

/** Milliseconds for a start that includes migrations. */
const PATIENCE = 30_000;

/**
 * Starts a server with the current Node.
 * @throws Error with the end of its log if it ends, or does not serve in time
 */
export async function startServerProcess({ args, env, logFile }: ServerProcessOptions): Promise<ServerProcess> {
  const log = await open(logFile, 'w');
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  const port = await portIn(logFile, () => child.exitCode === null);
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

async function portIn(logFile: string, isAlive: () => boolean): Promise<number> {
  const deadline = Date.now() + PATIENCE;
  while (isAlive() && Date.now() < deadline) {
    const port = /"port":(\d+)/.exec(await readFile(logFile, 'utf8'))?.[1];
    if (port !== undefined) return Number(port);
    await sleep(50);
  }
  throw new Error(`The server does not serve. The end of its log:\n${(await readFile(logFile, 'utf8')).slice(-2_000)}`);
}

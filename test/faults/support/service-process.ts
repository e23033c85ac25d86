import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { assertDeclared } from '../../support/declared-errors.ts';
import { assertNoToken } from '../../support/log-guard.ts';
import { noteStarted } from '../../support/started-processes.ts';

/** `laurel serve` in a separate process, which a test may end in any way. */
export type ServiceProcess = {
  readonly baseUrl: string;
  readonly port: number;
  /** Its output on both streams: the log, one JSON line each, and other messages. */
  readonly log: readonly string[];
  readonly process: ChildProcess;
  /** Sends a signal, and resolves with the exit code after the process has ended; null after SIGKILL. */
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/** The options of a start. */
export type ServiceProcessOptions = {
  /** The port; 0, the default, lets the system choose. */
  readonly port?: number;
  /** Settings as in docs/operations.md. */
  readonly env?: Readonly<Record<string, string>>;
  /** The file to run: this release's by default. */
  readonly main?: string;
};

const MAIN = join(import.meta.dirname, '../../../src/main.ts');

/** 32 bytes, the same in all processes of a test, because they share a database. */
const SECRET_KEY = Buffer.alloc(32, 'test').toString('base64');

/** Starts the service on a migrated database, and resolves when it is ready. */
export async function startServiceProcess(
  databaseUrl: string,
  { port = 0, env = {}, main = MAIN }: ServiceProcessOptions = {},
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [main, 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      HOST: '127.0.0.1',
      PORT: String(port),
      LAUREL_DATA: tmpdir(),
      LAUREL_SECRET_KEYS: SECRET_KEY,
      LAUREL_WEBHOOK_ALLOW_PRIVATE: 'true',
      // No balancer needs time to notice its end.
      LAUREL_DRAIN_DELAY_MS: '0',
      ...env,
    },
  });
  noteStarted(child);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const log: string[] = [];
  const serving = Promise.withResolvers<number>();
  void exited.then((code) => serving.reject(new Error(`The service ended with ${code}:\n${log.join('\n')}`)));
  createInterface(child.stdout).on('line', (line) => {
    log.push(line);
    if (line.includes('"laurel serves"')) serving.resolve((JSON.parse(line) as { port: number }).port);
  });
  createInterface(child.stderr).on('line', (line) => {
    log.push(line);
    process.stderr.write(`${line}\n`);
  });
  const chosen = await serving.promise;
  return {
    baseUrl: `http://127.0.0.1:${chosen}`,
    port: chosen,
    log,
    process: child,
    async end(signal) {
      child.kill(signal);
      const code = await exited;
      assertNoToken(log);
      assertDeclared(log);
      return code;
    },
  };
}

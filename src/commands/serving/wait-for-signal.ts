import type { Logger } from 'pino';

/** A closed terminal sends SIGHUP: if this process ended at once, the embedded PostgreSQL would keep running. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Resolves with the first signal. A second signal ends the process at once, for an impatient operator. */
export function waitForSignal(logger: Logger): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      logger.info({ signal }, 'stopping: no new requests, finishing those that run');
      for (const name of SIGNALS) process.off(name, onSignal);
      resolve(signal);
    };
    for (const name of SIGNALS) process.on(name, onSignal);
  });
}

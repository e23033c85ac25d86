import type { Logger } from 'pino';

/** SIGHUP is what a terminal sends that is closed: the service's own PostgreSQL would go on running if it ended at once. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Resolves with the first signal. A second one ends the process at once, for an operator who will not wait. */
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

import type { Logger } from 'pino';

/** Resolves with the first signal. A second one ends the process at once, for an operator who will not wait. */
export function untilStopped(logger: Logger): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      logger.info({ signal }, 'stopping: no new requests, finishing those that run');
      for (const name of ['SIGTERM', 'SIGINT'] as const) process.off(name, onSignal);
      resolve(signal);
    };
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, onSignal);
  });
}

import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Expose, Exposition } from '../../server/metrics.ts';
import { type FromProcess, isMetricsMessage } from './metrics-messages.ts';

/** Milliseconds that a reader of `/metrics` waits for the parent process, which usually answers within one or two. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * The `/metrics` of one of several processes: the metrics of all, which the parent process collects ({@link
 * collectMetrics}).
 */
export function sharedMetrics(logger: Logger): Expose {
  return (registry) => share(registry, logger);
}

function share(registry: Registry, logger: Logger): Exposition {
  const scrapes = new Map<number, (text: string) => void>();
  let scrapeCount = 0;

  /** A closed channel has no reader, so its errors are ignored. */
  const send = (message: FromProcess) =>
    new Promise<void>((resolve) => {
      if (process.connected) process.send!(message, undefined, undefined, () => resolve());
      else resolve();
    });

  async function sendCounts(answers?: number): Promise<void> {
    try {
      const snapshot = await registry.getMetricsAsJSON();
      await send({ laurel: 'counted', snapshot, ...(answers === undefined ? {} : { answers }) });
    } catch (error) {
      // The parent process uses the previous metrics.
      logger.warn({ err: error }, 'the metrics of this process could not be handed over');
    }
  }

  function onMessage(message: unknown): void {
    if (!isMetricsMessage(message)) return;
    if (message.laurel === 'count') void sendCounts(message.question);
    if (message.laurel === 'scraped') scrapes.get(message.scrape)?.(message.text);
  }

  process.on('message', onMessage);
  void sendCounts();
  return {
    async text() {
      const scrape = (scrapeCount += 1);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      scrapes.set(scrape, resolve);
      const timer = setTimeout(() => reject(tooLate()), ANSWER_TIMEOUT_MS);
      try {
        await send({ laurel: 'scrape', scrape });
        return await promise;
      } finally {
        clearTimeout(timer);
        scrapes.delete(scrape);
      }
    },
    async close() {
      await sendCounts();
    },
  };
}

function tooLate(): DomainError {
  return new DomainError('BUSY', 'The metrics of all processes could not be gathered in time. Scrape again.');
}

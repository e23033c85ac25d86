import type { Logger } from 'pino';
import type { Database } from '../../persistence/database.ts';
import { createPoller } from '../../persistence/polling/poller.ts';
import {
  type ClaimedMessage,
  claimMessages,
  clientsWithWork,
  HOLD_MS,
  type Outcome,
  settleMessages,
} from '../outbox/outbox.queries.ts';
import { createSendScheduler, type SendBatch } from './send-scheduler.ts';
import type { WebhookSender } from './webhook-sender.ts';

/** Sends what is in the outbox, one request for each message. Any number of processes may run one on the same database. */
export type Dispatcher = {
  /** Begins to look for messages that nobody wakes it for: those of dead processes, and of callers that did not wait. */
  start(): void;
  /**
   * Tells that a client has something to send; cheap, and harmless when it has not.
   * @param messageIds messages whose causing response has been written: they go out now. All others wait until they are due.
   */
  wake(clientId: string, messageIds?: readonly string[]): void;
  /**
   * Takes no more messages and waits for those being sent. What is left is sent by another process, or after the next start.
   * @param withinMs milliseconds to wait at most; 6 seconds are enough for every attempt and by default
   */
  stop(withinMs?: number): Promise<void>;
};

export type DispatcherOptions = {
  readonly db: Database;
  readonly sender: WebhookSender;
  readonly logger: Logger;
  /**
   * Ids of the keys that the sender's secrets open with. Messages whose secrets were sealed under others are left to other
   * processes; undefined where those keys are lost: then they are taken, and fail.
   */
  readonly secretKeyIds?: readonly string[] | undefined;
  /** Called with every outcome, for metrics. */
  readonly observe?: (outcome: Outcome) => void;
  /** Requests in flight at once, over all clients. */
  readonly concurrency?: number;
  /** Milliseconds between two looks for messages that nobody wakes it for. */
  readonly pollMs?: number;
};

/** Longer than the 5 s of an attempt, so that each one in flight ends by itself and its outcome is recorded. */
const STOP_MS = 6_000;

/**
 * A batch of a client is one transaction that records the outcomes which have come in and claims the next messages; these
 * are sent once it has committed. Both in one, so that what was answered can never be claimed again, and a busy client
 * costs one transaction for many messages. An outcome whose transaction fails is kept and recorded by a later batch.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, sender, logger, secretKeyIds: keyIds, concurrency = 256, pollMs = 500 } = options;
  const scheduler = createSendScheduler({ concurrency, take });
  const poller = createPoller({
    ...{ logger, everyMs: { min: pollMs, max: pollMs }, failure: 'webhooks: the outbox could not be read' },
    lookUp: () => db.systemUnitOfWork((uow) => clientsWithWork(uow, keyIds)),
    onFound(clients) {
      for (const clientId of clients) scheduler.wantAll(clientId);
      return clients.length > 0;
    },
  });
  const waiting = new Set<string>();
  let stopped = false;

  async function take(batch: SendBatch): Promise<readonly ClaimedMessage[]> {
    try {
      const claimed = await db.unitOfWork(batch.clientId, async (uow) => {
        const settled = settleMessages(uow, batch.outcomes);
        // Sent behind it without waiting; PostgreSQL runs the two in this order.
        const claims = batch.limit === 0 ? [] : claimMessages(uow, { ...batch, keyIds });
        const [messages] = await Promise.all([claims, settled]);
        return messages;
      });
      for (const message of claimed) void send(message);
      return claimed;
    } catch (error) {
      logger.error({ err: error, clientId: batch.clientId }, 'webhooks: the outbox could not be read or written');
      throw error;
    }
  }

  async function send(message: ClaimedMessage): Promise<void> {
    const attempt = await sender.send(message, message);
    report({ message, attempt });
    scheduler.finished({ message, attempt });
  }

  function report({ message, attempt }: Outcome): void {
    const { id: messageId, clientId, type } = message;
    const { outcome, statusCode, error, durationMs, target } = attempt;
    const level = outcome === 'DELIVERED' ? 'debug' : 'warn';
    options.observe?.({ message, attempt });
    logger[level]({ clientId, messageId, type, target, outcome, statusCode, error, durationMs }, 'webhook sent');
  }

  /** One timer for each client, however often it is woken meanwhile: what comes later is found by the poll. */
  function wantWhenDue(clientId: string): void {
    if (waiting.has(clientId)) return;
    waiting.add(clientId);
    setTimeout(() => {
      waiting.delete(clientId);
      scheduler.want(clientId);
    }, HOLD_MS + 1).unref();
  }

  return {
    start: poller.start,
    wake(clientId, messageIds) {
      if (stopped) return;
      if (messageIds === undefined) wantWhenDue(clientId);
      else if (messageIds.length > 0) scheduler.want(clientId, messageIds);
    },
    async stop(withinMs = STOP_MS) {
      stopped = true;
      // Nothing begins that a look under way finds, so it need not be waited for: a database that is away may keep it for long.
      void poller.stop();
      await scheduler.close(Math.min(STOP_MS, withinMs));
    },
  };
}

import type { Logger } from 'pino';
import { during, inSpan, parseTraceparent, startSpan, traceparentOf } from '../../kernel/tracing.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { createPoller } from '../../persistence/polling/poller.ts';
import type { Receiver } from '../configuration/webhook-target.ts';
import type { ClaimedMessage, FinishedAttempt } from '../outbox/claimed-message.ts';
import type { EnqueuedMessage } from '../outbox/enqueue.queries.ts';
import { claimMessages, receiversWithWork, SEND_DELAY_MS, settleMessages } from '../outbox/outbox.queries.ts';
import { claimRetries, receiversWithRetries } from '../retries/retry.queries.ts';
import type { Retry } from '../retries/retry-schedule.ts';
import { isRetried } from '../retries/plan-retries.ts';
import { settleRetries } from '../retries/settle-retries.ts';
import { createSendScheduler, type InFlight, type SendBatch, type SendScheduler } from './send-scheduler.ts';
import type { Attempt, WebhookSender } from './webhook-sender.ts';

/**
 * Sends the messages of the outbox, one request each, and due retries. Any number of processes may run a dispatcher on the same database.
 */
export type Dispatcher = {
  /** Starts polling for messages without a wake-up: those of dead processes, of cancelled calls, and retries. */
  start(): void;
  /**
   * Reports that a client has messages to send. It is cheap, and harmless if the client has none.
   * @param messages messages whose causing call is answered: they are sent now. All others wait until they are due.
   */
  wake(clientId: string, messages?: readonly EnqueuedMessage[]): void;
  /** Reports that an operator made a retry due early. */
  wakeRetries(): void;
  /**
   * Claims no more messages and waits for those being sent. Another process sends the rest, or this one after its next start.
   * @param withinMs the maximum of milliseconds to wait; the default of 6 seconds is enough for every attempt
   */
  stop(withinMs?: number): Promise<void>;
};

export type DispatcherOptions = {
  readonly db: Database;
  readonly sender: WebhookSender;
  readonly logger: Logger;
  /**
   * Ids of the sender's keys. Messages with secrets under other keys are left to other processes. Undefined if those keys are lost: then
   * this process takes the messages, and they fail.
   */
  readonly secretKeyIds?: readonly string[] | undefined;
  /** Called with every outcome, for metrics. */
  readonly observe?: (outcome: FinishedAttempt) => void;
  /** Called after the commit with the consequence of each failed attempt of a webhook with retries, for metrics. */
  readonly observeRetry?: (outcome: FinishedAttempt, retry: Retry) => void;
  /** The maximum of requests in flight, over all clients, without retries. */
  readonly concurrency?: number;
  /** Milliseconds between two polls for messages; up to four times as many for retries. */
  readonly pollMs?: number;
};

/** Longer than the 5 s of an attempt, so that each attempt in flight can end and its outcome is recorded. */
const STOP_MS = 6_000;

/** The maximum of retries in flight, over all clients. */
const RETRIES_AT_ONCE = 64;

/**
 * Retries in flight to one endpoint: one while it fails, more while it accepts them. So a dead receiver gets one
 * request at a time, and a recovered one gets the backlog within minutes.
 */
const RETRIES_IN_FLIGHT: InFlight = {
  start: 1,
  next: (max, { attempt }) =>
    attempt.outcome === 'DELIVERED' ? Math.min(16, max + 1) : Math.max(1, Math.floor(max / 2)),
};

/**
 * A batch of a receiver is one transaction that records the latest outcomes and claims the next messages, which are sent after the commit.
 * So an answered message is never claimed again, and a busy receiver costs one transaction for many messages. Each receiver is a separate
 * flow, not each client, because a dead receiver would delay the others of its client. If the transaction fails, a later
 * batch records its outcomes.
 *
 * Retries have separate slots and batches, so that new messages never wait for them: docs/decisions/0058.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, sender, logger, secretKeyIds: keyIds, concurrency = 256, pollMs = 500 } = options;
  const scheduler: SendScheduler = createSendScheduler({
    concurrency,
    flowOf: flowOfReceiver,
    take(batch: SendBatch) {
      const [clientId = '', configurationId = ''] = batch.flow.split('/');
      return take(clientId, batch.outcomes, {
        settle: settleMessages,
        claim: (uow) => (batch.limit === 0 ? [] : claimMessages(uow, { ...batch, configurationId, keyIds })),
        finished: (outcome) => scheduler.finished(outcome),
      });
    },
  });
  const retries: SendScheduler = createSendScheduler({
    concurrency: RETRIES_AT_ONCE,
    batchesAtOnce: 1,
    inFlight: RETRIES_IN_FLIGHT,
    flowOf: flowOfReceiver,
    take(batch: SendBatch) {
      const [clientId = '', configurationId = ''] = batch.flow.split('/');
      return take(clientId, batch.outcomes, {
        settle: settleRetries,
        claim: (uow) => (batch.limit === 0 ? [] : claimRetries(uow, { configurationId, limit: batch.limit, keyIds })),
        finished: (outcome) => retries.finished(outcome),
      });
    },
  });
  const poller = createPoller({
    logger,
    everyMs: { min: pollMs, max: pollMs },
    failure: 'webhooks: the outbox could not be read',
    lookUp: () => db.systemUnitOfWork((uow) => receiversWithWork(uow, keyIds)),
    onFound(receivers) {
      for (const receiver of receivers) scheduler.requestClaimFromStart(flowOfReceiver(receiver));
      return receivers.length > 0;
    },
  });
  const retryPoller = createPoller({
    logger,
    everyMs: { min: pollMs, max: 4 * pollMs },
    failure: 'webhooks: retries could not be read',
    lookUp: () => db.systemUnitOfWork((uow) => receiversWithRetries(uow, keyIds)),
    onFound(receivers) {
      for (const receiver of receivers) retries.requestClaimFromStart(flowOfReceiver(receiver));
      return receivers.length > 0;
    },
  });
  let dueTimer: NodeJS.Timeout | undefined;
  let stopped = false;

  /** The differences between new messages and retries. */
  type QueueKind = {
    readonly settle: (uow: UnitOfWork, outcomes: readonly FinishedAttempt[]) => Promise<ReadonlyMap<string, Retry>>;
    readonly claim: (uow: UnitOfWork) => Promise<ClaimedMessage[]> | ClaimedMessage[];
    readonly finished: (outcome: FinishedAttempt) => void;
  };

  async function take(
    clientId: string,
    outcomes: readonly FinishedAttempt[],
    queue: QueueKind,
  ): Promise<readonly ClaimedMessage[]> {
    try {
      // Without a span, because the call that woke the dispatcher is accidental.
      const [claimed, followed] = await inSpan(undefined, () =>
        db.unitOfWork(clientId, async (uow) => {
          const settled = queue.settle(uow, outcomes);
          if (outcomes.some(isRetried)) await settled;
          // Without a wait between them: PostgreSQL runs the two in this order.
          return Promise.all([queue.claim(uow), settled]);
        }),
      );
      reportRetries(outcomes, followed);
      for (const message of claimed) void send(message, queue);
      return claimed;
    } catch (error) {
      logger.error({ err: error, clientId }, 'webhooks: the outbox could not be read or written');
      throw error;
    }
  }

  async function send(message: ClaimedMessage, queue: QueueKind): Promise<void> {
    const attempt = await traced(message);
    report({ message, attempt });
    queue.finished({ message, attempt });
  }

  /** The request carries the span, so that the receiver can continue the trace. */
  function traced(message: ClaimedMessage): Promise<Attempt> {
    const parent = parseTraceparent(message.traceparent);
    const span = parent && startSpan({ name: `webhook ${message.type}`, kind: 'CLIENT', parent });
    if (!span?.isRecording) return inSpan(undefined, () => sender.send(message, message));
    return during(span, async () => {
      const attempt = await sender.send(message, { ...message, traceparent: traceparentOf(span.context) });
      const { outcome, statusCode, method, target, error } = attempt;
      span.set({
        'http.request.method': method,
        'http.response.status_code': statusCode ?? undefined,
        'server.address': new URL(target).hostname,
        'error.type': error ?? (outcome === 'DELIVERED' ? undefined : outcome),
        'laurel.client.id': message.clientId,
        'laurel.webhook.type': message.type,
        'laurel.webhook.endpoint.id': message.endpointId ?? undefined,
        'laurel.webhook.outcome': outcome,
      });
      if (outcome !== 'DELIVERED') span.fail();
      return attempt;
    });
  }

  function report({ message, attempt }: FinishedAttempt): void {
    const { id: messageId, clientId, type } = message;
    const endpointId = message.endpointId ?? undefined;
    const { outcome, statusCode, error, durationMs, target } = attempt;
    const level = outcome === 'DELIVERED' ? 'debug' : 'warn';
    options.observe?.({ message, attempt });
    logger[level](
      // The log of the process keeps the host only.
      { clientId, messageId, type, endpointId, target: new URL(target).origin, outcome, statusCode, error, durationMs },
      'webhook sent',
    );
  }

  function reportRetries(outcomes: readonly FinishedAttempt[], followed: ReadonlyMap<string, Retry>): void {
    if (followed.size === 0) return;
    for (const outcome of outcomes) {
      const retry = followed.get(outcome.attempt.id);
      if (retry === undefined) continue;
      options.observeRetry?.(outcome, retry);
      const { id: messageId, clientId, type } = outcome.message;
      const endpointId = outcome.message.endpointId ?? undefined;
      if (retry !== 'SCHEDULED')
        logger.warn({ clientId, messageId, type, endpointId, retry }, 'webhook is not sent again');
    }
  }

  /** One timer, even after several wake-ups: the poll finds all messages that are due by then. */
  function lookWhenDue(): void {
    dueTimer ??= setTimeout(() => {
      dueTimer = undefined;
      poller.poll();
    }, SEND_DELAY_MS + 1).unref();
  }

  return {
    start() {
      poller.start();
      retryPoller.start();
    },
    wake(clientId, messages) {
      if (stopped) return;
      if (messages === undefined) return lookWhenDue();
      for (const [configurationId, own] of Map.groupBy(messages, (message) => message.configurationId)) {
        const released = own.map(({ id }) => id);
        scheduler.requestClaim(flowOfReceiver({ clientId, configurationId }), released);
      }
    },
    wakeRetries: () => retryPoller.poll(),
    async stop(withinMs = STOP_MS) {
      stopped = true;
      // A running poll starts no more work, so nothing waits for it: an unreachable database could delay it for long.
      void poller.stop();
      void retryPoller.stop();
      const timeoutMs = Math.min(STOP_MS, withinMs);
      await Promise.all([scheduler.close(timeoutMs), retries.close(timeoutMs)]);
    },
  };
}

/** The flow of a receiver. */
function flowOfReceiver({ clientId, configurationId }: Receiver): string {
  return `${clientId}/${configurationId}`;
}

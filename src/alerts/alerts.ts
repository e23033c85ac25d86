import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { requireClient } from '../clients/visible-client.ts';
import type { Database } from '../persistence/database.ts';
import type { CauseReaders } from '../activity/causes.ts';
import { nextAttemptAt } from './alert-rule.ts';
import { lockClaimedChannel, storeFailed, storeSent } from './alerts.queries.ts';
import type { SendResult } from './delivery/send-result.ts';
import { type Channels, sendAlert } from './delivery/send-alert.ts';
import type { AlertMessage } from './messages/compose.ts';
import { type DueMessage, claimDueAlerts, lastNotifiedAt } from './claim-due-alerts.ts';

/** Reports causes that need attention to the clients. Any number of processes may do so on the same database. */
export type Alerts = {
  /**
   * Checks a client for causes and starts reporting them. Sending runs in the background, so that a slow receiver delays no other client.
   * @returns the number of messages
   */
  check(db: Database, clientId: string, now: Date): Promise<number>;
  /** Resolves when no message is being sent. */
  idle(): Promise<void>;
};

export type AlertsOptions = Channels & {
  /** Records the outcome of sending. */
  readonly db: Database;
  readonly readers: CauseReaders;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
};

/** Messages that one process sends at once; the next check finds the others again. */
const SENDING_MAX = 64;

/** Sends the alerts of this process. */
export function createAlerts(options: AlertsOptions): Alerts {
  const { db: own, readers, logger, clock } = options;
  const sending = new Set<Promise<void>>();

  async function send(message: DueMessage, client: AlertMessage['client']): Promise<void> {
    const { clientId, kind, causes, setting } = message;
    const id = messageId(message);
    const outcome = await sendAlert(options, kind, setting, { id, client, causes });
    if (outcome.error !== undefined)
      logger.warn(
        { clientId, channel: kind, error: codeOf(outcome.error), sent: outcome.sent },
        'an alert channel fails',
      );
    await own.unitOfWork(clientId, (uow) => settle(uow, message, outcome, clock()));
  }

  function begin(message: DueMessage, client: AlertMessage['client']): void {
    const { clientId, kind } = message;
    const sent = send(message, client)
      // The lease expires and the message is sent again: twice is better than never.
      .catch((error: unknown) => logger.error({ err: error, clientId, channel: kind }, 'an alert was not settled'))
      .finally(() => sending.delete(sent));
    sending.add(sent);
  }

  return {
    async check(db, clientId, now) {
      if (sending.size >= SENDING_MAX) return 0;
      const { messages, client } = await db.unitOfWork(clientId, async (uow) => {
        const client = await requireClient(uow);
        return { messages: await claimDueAlerts(uow, now, readers), client };
      });
      for (const message of messages) begin(message, client);
      return messages.length;
    },
    async idle() {
      await Promise.all(sending);
    },
  };
}

/** Records the outcome of a message, unless another message has claimed the channel since. */
async function settle(
  uow: Parameters<typeof lockClaimedChannel>[0],
  { kind, leaseId, alerts }: DueMessage,
  { sent, error = '' }: SendResult,
  now: Date,
): Promise<void> {
  const before = await lockClaimedChannel(uow, kind, leaseId);
  if (before === undefined) return;
  const failures = before + 1;
  if (sent) await storeSent(uow, kind, { alerts, error: error || null, now });
  else await storeFailed(uow, kind, { failures, nextAttemptAt: nextAttemptAt(failures, now), error, now });
}

/** Depends on the alerts and the times of their last reports, so that a receiver recognises a repeated message. */
function messageId({ kind, alerts }: DueMessage): string {
  const keys = alerts.map((alert) => `${alert.id}@${lastNotifiedAt(alert, kind)?.toISOString() ?? ''}`).toSorted();
  return `alert_${createHash('sha256').update(keys.join('\n')).digest('hex').slice(0, 32)}`;
}

/** The log has only the code, because the text of a mail server may name people. */
function codeOf(error: string): string {
  return error.split(':')[0]!;
}

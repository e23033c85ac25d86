import { pino } from 'pino';
import { type Alerts, createAlerts } from '../../../src/alerts/alerts.ts';
import { createMailer } from '../../../src/alerts/delivery/mailer.ts';
import type { SmtpSettings } from '../../../src/alerts/delivery/smtp-settings.ts';
import { causesWith } from '../../../src/app/attention.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import type { Database } from '../../../src/persistence/database.ts';
import { createWebhookSender } from '../../../src/webhooks/delivery/webhook-sender.ts';

/** The key of secrets of services whose alerts are told by {@link alertsOf}. */
export const KEY = Buffer.alloc(32, 7);

export type AlertsFixture = {
  readonly clock?: () => Date;
  readonly smtp?: SmtpSettings;
  readonly publicUrl?: URL;
  /** Gets the lines that are logged. */
  readonly log?: string[];
};

/** What tells alerts in one more process on the database of a service. */
export function alertsOf({ db }: { readonly db: Database }, options: AlertsFixture = {}): Alerts {
  const { clock = () => new Date(), smtp, publicUrl, log } = options;
  const sender = createWebhookSender({ secrets: createSecretBox([KEY]), allowPrivate: true, clock });
  const logger = log ? pino({}, { write: (line: string) => void log.push(line) }) : pino({ level: 'silent' });
  return createAlerts({
    db,
    sender,
    mailer: smtp && createMailer(smtp),
    publicUrl,
    clock,
    logger,
    readers: causesWith(),
  });
}

import { pino } from 'pino';
import { type Alerts, createAlerts } from '../../../src/alerts/alerts.ts';
import { createMailer } from '../../../src/alerts/delivery/mailer.ts';
import type { SmtpSettings } from '../../../src/alerts/delivery/smtp-settings.ts';
import { causesWith } from '../../../src/app/attention.ts';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import type { Database } from '../../../src/persistence/database.ts';
import { createWebhookSender } from '../../../src/webhooks/delivery/webhook-sender.ts';

/** The key for the secrets of services whose alerts {@link alertsOf} sends. */
export const KEY = Buffer.alloc(32, 7);

export type AlertsFixture = {
  readonly clock?: () => Date;
  readonly smtp?: SmtpSettings;
  readonly publicUrl?: URL;
  /** Receives the log lines. */
  readonly log?: string[];
};

/** The alerts of another process on the database of a service. */
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
    readers: causesWith(createCatalogs()),
  });
}

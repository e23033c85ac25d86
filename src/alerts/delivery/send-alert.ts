import type { Clock } from '../../kernel/time/clock.ts';
import type { Attempt, WebhookSender } from '../../webhooks/delivery/webhook-sender.ts';
import type { StoredSetting } from '../alerts.queries.ts';
import type { ChannelKind } from '../channel-kind.ts';
import { alertBody, alertMail, type AlertMessage } from '../messages/compose.ts';
import type { Mailer } from './mailer.ts';
import { alertTarget } from './alert-target.ts';
import { errorText, type SendResult } from './send-result.ts';

/** The means of sending alerts. */
export type Channels = {
  readonly sender: WebhookSender;
  /** Absent if the service has no mail server. */
  readonly mailer: Mailer | undefined;
  readonly publicUrl: URL | undefined;
  readonly clock: Clock;
};

/** Sends one message by one channel of a client, in one attempt. Never rejects: the outcome has the error. */
export async function sendAlert(
  { sender, mailer, publicUrl, clock }: Channels,
  kind: ChannelKind,
  { clientId, endpoint, signingSecretSealed, recipients, language }: StoredSetting,
  about: Omit<AlertMessage, 'publicUrl' | 'language'>,
): Promise<SendResult> {
  const message = { ...about, language, publicUrl };
  if (kind === 'WEBHOOK') {
    const target = alertTarget(clientId, endpoint ?? '', signingSecretSealed);
    return sendResultOf(await sender.send(target, { id: about.id, body: alertBody(message, clock()) }));
  }
  if (mailer === undefined) return { sent: false, error: errorText('NO_MAIL_SERVER', 'LAUREL_SMTP_URL is not set') };
  return mailer.send(alertMail(message, recipients));
}

/** The result has only the status of the answer, because its body may be anything. */
function sendResultOf({ outcome, statusCode, error }: Attempt): SendResult {
  if (outcome === 'DELIVERED') return { sent: true };
  return { sent: false, error: errorText(error ?? outcome, statusCode === null ? '' : `HTTP ${statusCode}`) };
}

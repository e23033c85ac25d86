import type { Clock } from '../../kernel/time/clock.ts';
import type { Attempt, WebhookSender } from '../../webhooks/delivery/webhook-sender.ts';
import type { StoredSetting } from '../alerts.queries.ts';
import type { ChannelKind } from '../channel-kind.ts';
import { alertBody, alertMail, type Subject } from '../messages/compose.ts';
import type { Mailer } from './mailer.ts';
import { alertTarget } from './alert-target.ts';
import { errorText, type Outcome } from './outcome.ts';

/** By what alerts go out. */
export type Channels = {
  readonly sender: WebhookSender;
  /** Absent where the service has no mail server. */
  readonly mailer: Mailer | undefined;
  readonly publicUrl: URL | undefined;
  readonly clock: Clock;
};

/** Sends one message by one channel of a client's settings, once. Never rejects: whatever happens is the outcome. */
export async function sendAlert(
  { sender, mailer, publicUrl, clock }: Channels,
  kind: ChannelKind,
  { clientId, endpoint, signingSecretSealed, recipients, language }: StoredSetting,
  about: Omit<Subject, 'publicUrl' | 'language'>,
): Promise<Outcome> {
  const subject = { ...about, language, publicUrl };
  if (kind === 'WEBHOOK') {
    const target = alertTarget(clientId, endpoint ?? '', signingSecretSealed);
    return outcomeOf(await sender.send(target, { id: about.id, body: alertBody(subject, clock()) }));
  }
  if (mailer === undefined) return { sent: false, error: errorText('NO_MAIL_SERVER', 'LAUREL_SMTP_URL is not set') };
  return mailer.send(alertMail(subject, recipients));
}

/** Only the status of the answer is reported, because its body may be anything. */
function outcomeOf({ outcome, statusCode, error }: Attempt): Outcome {
  if (outcome === 'DELIVERED') return { sent: true };
  return { sent: false, error: errorText(error ?? outcome, statusCode === null ? '' : `HTTP ${statusCode}`) };
}

import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { webhookHeaders } from '../../kernel/secrets/webhook-headers.ts';

/** A new signing secret: 32 random bytes, in the form of the Standard Webhooks libraries. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * The three headers of Standard Webhooks (standardwebhooks.com). The id is the message's, so that a receiver recognises a repeat. The time
 * is the attempt's, so that a receiver can refuse a replay. Signatures of several secrets are separated by spaces; a receiver accepts the
 * request if it can verify one of them.
 */
export function signatureHeaders(
  secrets: readonly string[],
  message: { id: string; body: string },
  at: Date,
): Record<string, string> {
  return {
    [webhookHeaders.id]: message.id,
    [webhookHeaders.timestamp]: Math.floor(at.getTime() / 1000).toString(),
    [webhookHeaders.signature]: secrets
      .map((secret) => new Webhook(secret).sign(message.id, at, message.body))
      .join(' '),
  };
}

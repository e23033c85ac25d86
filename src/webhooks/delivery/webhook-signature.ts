import { createHmac, randomBytes } from 'node:crypto';

/** The prefix by which Standard Webhooks libraries know a symmetric secret; what follows is base64. */
const PREFIX = 'whsec_';

/** A new signing secret, 32 random bytes, in the form that Standard Webhooks libraries take. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/**
 * The three headers of Standard Webhooks (standardwebhooks.com). The id is the message's, so that a receiver knows a
 * second sending by it; the time is the attempt's, so that a receiver can refuse what somebody plays back later.
 */
export function signatureHeaders(
  secret: string,
  message: { id: string; body: string },
  at: Date,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const signature = createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(`${message.id}.${timestamp}.${message.body}`)
    .digest('base64');
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

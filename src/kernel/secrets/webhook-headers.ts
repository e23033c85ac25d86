/**
 * The headers of Standard Webhooks (standardwebhooks.com), which the sender writes and the OpenAPI description
 * documents.
 */
export const webhookHeaders = {
  /** The message's id, the same in every attempt. */
  id: 'webhook-id',
  /** The time at which the attempt began, in Unix seconds. */
  timestamp: 'webhook-timestamp',
  /** `v1,` and the signature in base64. */
  signature: 'webhook-signature',
} as const;

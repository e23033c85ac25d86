/** The two webhooks that a client may configure; each has its own endpoint and its own shape of body. */
export type WebhookType = 'REWARDS' | 'PUBLICATION_STATUS';

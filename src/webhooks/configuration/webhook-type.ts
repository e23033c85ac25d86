/**
 * The webhooks that a client may configure; each has its own endpoint and its own shape of body. The first two belong to the contract, the
 * others to Laurel: docs/decisions/0057.
 */
export const WEBHOOK_TYPES = ['REWARDS', 'PUBLICATION_STATUS', 'MISSION_COMPLETED', 'STOCK_LOW'] as const;

/** The type of a webhook. */
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** Whether a word is the type of a webhook. */
export function isWebhookType(word: string): word is WebhookType {
  return (WEBHOOK_TYPES as readonly string[]).includes(word);
}

/** The name of each type in paths: `/webhooks/{path}`. */
export const WEBHOOK_PATHS: Readonly<Record<WebhookType, string>> = {
  REWARDS: 'rewards',
  PUBLICATION_STATUS: 'publication-status',
  MISSION_COMPLETED: 'mission-completed',
  STOCK_LOW: 'stock-low',
};

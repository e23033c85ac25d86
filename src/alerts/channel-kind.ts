/** The channels of alerts. */
export const CHANNEL_KINDS = ['WEBHOOK', 'EMAIL'] as const;

/** One channel of alerts. */
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

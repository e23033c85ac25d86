/** The ways on which alerts go out. */
export const CHANNEL_KINDS = ['WEBHOOK', 'EMAIL'] as const;

/** One of them. */
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

import { Change_KindSchema } from '../../../gen/laurel/v1/change_pb.ts';
import { type EnumName, enumNames } from '../../kernel/enum-names.ts';
import type { WebhookType } from '../configuration/webhook-type.ts';

/** The kind of an announced change, as in the proto. */
export type ChangeKind = EnumName<typeof Change_KindSchema>;

/** The announcement of one kind of change. */
export type ChangeRule = {
  /** The webhook of WebhookService that announces it too; a new kind has none. */
  readonly webhook?: WebhookType;
  /** Whether its changes can belong to a campaign, by which an endpoint may select them. */
  readonly hasCampaign: boolean;
  /** Whether modules below announce it by `addToFeed`, as they know no webhooks: its endpoints get it before the commit. */
  readonly isCollected?: true;
  /** The JSON of `data` in the body for endpoints, from the JSON of the message; the same by default. */
  readonly toData?: (json: string) => string;
};

/** All kinds of changes. A new kind is a value of the proto's enum, an entry here and one of `test-data.ts`. */
export const changeRules: Readonly<Record<ChangeKind, ChangeRule>> = {
  REWARDS_DELIVERED: { webhook: 'REWARDS', hasCampaign: true, toData: (json) => `{"rewards":${json}}` },
  PUBLICATION_STATUS_CHANGED: { webhook: 'PUBLICATION_STATUS', hasCampaign: false },
  MISSION_COMPLETED: { webhook: 'MISSION_COMPLETED', hasCampaign: true },
  STOCK_LOW: { webhook: 'STOCK_LOW', hasCampaign: false },
  REWARDS_REVERSED: { hasCampaign: false },
  ACCOUNTS_MERGED: { hasCampaign: false },
  LEVEL_CHANGED: { hasCampaign: false },
  LEVEL_AT_RISK: { hasCampaign: false },
  STREAK_AT_RISK: { hasCampaign: false },
  LEADERBOARD_CLOSED: { hasCampaign: false },
  POINTS_CHANGED: { hasCampaign: false, isCollected: true },
  REWARD_EARNED: { hasCampaign: false, isCollected: true },
  PENDING_REWARD_SETTLED: { hasCampaign: false, isCollected: true },
  REDEMPTION_CHANGED: { hasCampaign: false, isCollected: true },
  RESERVATION_CHANGED: { hasCampaign: false, isCollected: true },
  STOCK_CHANGED: { hasCampaign: false, isCollected: true },
  CHEST_OPENED: { hasCampaign: false, isCollected: true },
  STREAK_FREEZES_CHANGED: { hasCampaign: false, isCollected: true },
};

/** The names of all kinds. */
export const CHANGE_KINDS = enumNames(Change_KindSchema);

/** The kind that a webhook of WebhookService announces. */
export function kindOf(type: WebhookType): ChangeKind {
  return CHANGE_KINDS.find((kind) => changeRules[kind].webhook === type)!;
}

import { Change_Kind } from '../../../../gen/laurel/v1/change_pb.ts';
import { type WebhookEndpoint, WebhookEndpoint_Form as Form } from '../../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import { type EnumName, enumName } from '../../api/enum-name.ts';

/** The name of a kind of change. */
export type ChangeKindName = EnumName<typeof Change_Kind>;

/** The kinds of changes that an endpoint can receive, each with whether its changes can belong to a campaign. */
const kinds: Readonly<Record<ChangeKindName, { readonly hasCampaign: boolean }>> = {
  REWARDS_DELIVERED: { hasCampaign: true },
  MISSION_COMPLETED: { hasCampaign: true },
  PUBLICATION_STATUS_CHANGED: { hasCampaign: false },
  STOCK_LOW: { hasCampaign: false },
  REWARDS_REVERSED: { hasCampaign: false },
  ACCOUNTS_MERGED: { hasCampaign: false },
  LEVEL_CHANGED: { hasCampaign: false },
  LEVEL_AT_RISK: { hasCampaign: false },
  STREAK_AT_RISK: { hasCampaign: false },
  LEADERBOARD_CLOSED: { hasCampaign: false },
  POINTS_CHANGED: { hasCampaign: false },
  REWARD_EARNED: { hasCampaign: false },
  PENDING_REWARD_SETTLED: { hasCampaign: false },
  REDEMPTION_CHANGED: { hasCampaign: false },
  RESERVATION_CHANGED: { hasCampaign: false },
  STOCK_CHANGED: { hasCampaign: false },
  CHEST_OPENED: { hasCampaign: false },
  STREAK_FREEZES_CHANGED: { hasCampaign: false },
};

/** The names of the kinds, those of campaigns first. */
export const changeKinds = Object.keys(kinds) as readonly ChangeKindName[];

/** The name of a kind that the service answered. @throws Error for a kind that this page does not know */
export function changeKindName(kind: Change_Kind): ChangeKindName {
  return enumName(Change_Kind, kind);
}

/** The kinds of an endpoint in the order of this page, whatever the order in which they were chosen. */
export function kindsOf({ types }: WebhookEndpoint): readonly ChangeKindName[] {
  const chosen = new Set(types.map(changeKindName));
  return changeKinds.filter((kind) => chosen.has(kind));
}

/** Whether an endpoint of these kinds can be narrowed to campaigns. */
export function canSelectCampaigns(names: readonly ChangeKindName[]): boolean {
  return names.length > 0 && names.every((name) => kinds[name].hasCampaign);
}

/** The forms of bodies, the default first. */
export const endpointForms = ['PLAIN', 'CLOUD_EVENTS'] as const;

/** The name of one of them. */
export type EndpointFormName = (typeof endpointForms)[number];

/** The name of a form that the service answered. @throws Error for a form that this page does not know */
export function endpointFormName(form: Form): EndpointFormName {
  return enumName(Form, form);
}

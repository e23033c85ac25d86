import type { AssignmentState } from '../../engine/assignment.ts';
import type { ClosingAssignment } from '../../rewards/delivery/earned-reward.ts';
import { missionTypes } from '../../engine/missions/mission-types.ts';
import type { RewardOrder } from '../../rewards/delivery/earned-reward.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';

/** A campaign that closes for an account. */
export type Closing = {
  readonly accountId: string;
  readonly campaignId: string;
  readonly operationId: string | undefined;
  /** The account's assignment of a mission without periods, in its state after the closing event. */
  readonly assignmentOf: (missionId: string) => AssignmentState | undefined;
  readonly now: Date;
};

/** The completion rewards of a campaign, which are sent to the rewards webhook. */
export function closingOrders(catalog: ClientCatalog, closing: Closing): RewardOrder[] {
  const { accountId, campaignId, operationId, assignmentOf, now } = closing;
  const assignment = soleAssignment(catalog, closing);
  const { rewardIds = [], missionIds = [] } = catalog.rules.campaigns.get(campaignId) ?? {};
  // The campaign may have closed before, until a reversal took one of its missions back.
  const mayBeKept = missionIds.some((id) => assignmentOf(id)?.detail?.reversed);
  return rewardIds.flatMap((id) => {
    const reward = catalog.rewards.get(id);
    return reward ? [{ accountId, reward, campaignId, operationId, closing: { assignment }, mayBeKept, now }] : [];
  });
}

/** The assignment for the webhook of a closing; undefined unless the campaign has exactly one mission and that is no series. */
function soleAssignment(catalog: ClientCatalog, { campaignId, assignmentOf }: Closing): ClosingAssignment | undefined {
  const missionIds = catalog.rules.campaigns.get(campaignId)?.missionIds ?? [];
  const [missionId] = missionIds;
  if (missionId === undefined || missionIds.length > 1) return undefined;
  const type = catalog.rules.missions.get(missionId)?.type;
  const assignment = type !== undefined && !missionTypes[type].isSeries ? assignmentOf(missionId) : undefined;
  // A mission that repeats is in its next round; the webhook reports the completed one.
  return assignment && { id: assignment.id, missionId, progress: assignment.target, target: assignment.target };
}

import type { AssignmentState } from '../../engine/assignment.ts';
import { missionTypes } from '../../engine/missions/mission-types.ts';
import type { RewardOrder } from '../../rewards/delivery/delivery.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';

/** A campaign that closes for an account. */
export type Closing = {
  readonly accountId: string;
  readonly campaignId: string;
  readonly operationId: string | undefined;
  /** The account's assignment of a mission without periods, as it stands after what closes the campaign. */
  readonly assignmentOf: (missionId: string) => AssignmentState | undefined;
  readonly now: Date;
};

/** The completion rewards of a campaign, which the rewards webhook tells. */
export function closingOrders(catalog: ClientCatalog, closing: Closing): RewardOrder[] {
  const { accountId, campaignId, operationId, now } = closing;
  const assignment = soleAssignment(catalog, closing);
  const rewardIds = catalog.rules.campaigns.get(campaignId)?.rewardIds ?? [];
  return rewardIds.flatMap((id) => {
    const reward = catalog.rewards.get(id);
    return reward ? [{ accountId, reward, campaignId, operationId, closing: { assignment }, now }] : [];
  });
}

/** The one assignment that a closing maps to: only a campaign of one mission has it, and only one that is no series. */
function soleAssignment(catalog: ClientCatalog, { campaignId, assignmentOf }: Closing): AssignmentState | undefined {
  const missionIds = catalog.rules.campaigns.get(campaignId)?.missionIds ?? [];
  const [missionId] = missionIds;
  if (missionId === undefined || missionIds.length > 1) return undefined;
  const type = catalog.rules.missions.get(missionId)?.type;
  return type !== undefined && !missionTypes[type].isSeries ? assignmentOf(missionId) : undefined;
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ArchiveRewardRequest,
  type ArchiveRewardResponseSchema,
  RewardAdminService,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { RewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { bumpCatalogVersion, holdCatalog } from '../../clients/catalog-version.ts';
import type { Principal } from '../../clients/principal.ts';
import { requireUnused, type Uses } from '../../kernel/in-use.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { toManagedRewardMessage } from './reward-message.ts';
import { archiveRewardRow, requireReward } from './rewards.queries.ts';
import { chestsThatHold } from './uses.queries.ts';

/** What of the modules above uses one of this module's things. */
export type UsesAbove = (uow: UnitOfWork, id: string, now: Date) => Promise<Uses>;

/** Archives a reward that nothing gives any more: proto RewardAdminService.ArchiveReward. */
export function archiveReward(
  db: Database,
  principal: Principal,
  { id }: ArchiveRewardRequest,
  now: Date,
  usesAbove: UsesAbove,
): Promise<MessageInitShape<typeof ArchiveRewardResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    await holdCatalog(uow);
    const reward = await requireReward(uow, id);
    const before = toManagedRewardMessage(reward);
    if (reward.archivedAt) return { reward: before };
    const uses = [...(await usesAbove(uow, reward.id, now)), ...(await chestsThatHold(uow, reward.id))];
    requireUnused('REWARD', uses, 'End the campaigns, or archive the chests first.');
    await archiveRewardRow(uow, reward.id, now);
    await bumpCatalogVersion(uow);
    const after = toManagedRewardMessage(await requireReward(uow, reward.id));
    const operation = RewardAdminService.method.archiveReward;
    await recordChange(uow, principal, { operation, schema: RewardSchema, id: reward.id, before, after });
    return { reward: after };
  });
}

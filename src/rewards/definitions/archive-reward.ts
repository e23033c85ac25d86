import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ArchiveRewardRequest,
  type ArchiveRewardResponseSchema,
  RewardAdminService,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { RewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { requireUnused } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import { toManagedRewardMessage } from './reward-message.ts';
import { requireReward, rewardEntity } from './rewards.queries.ts';
import { allUsesOfReward, type UsesAbove } from './uses.queries.ts';

/** Archives a reward without uses: proto RewardAdminService.ArchiveReward. */
export async function archiveReward(
  { db, principal, now }: Call,
  { id, version: read }: ArchiveRewardRequest,
  usesAbove: UsesAbove,
): Promise<MessageInitShape<typeof ArchiveRewardResponseSchema>> {
  const change = { operation: RewardAdminService.method.archiveReward, schema: RewardSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const reward = await requireReward(uow, id);
    const before = toManagedRewardMessage(reward);
    if (reward.archivedAt) return { after: before, unchanged: true };
    await requireVersion(uow, RewardSchema, reward, read);
    const uses = await allUsesOfReward(uow, reward.id, usesAbove, now);
    requireUnused('REWARD_IN_USE', uses, sentence`End the campaigns, or archive the chests first.`);
    const version = reward.version + 1;
    uow.em.assign(await rewardEntity(uow, reward), { deletedAt: now, version, updatedAt: now });
    await uow.em.flush();
    const after = toManagedRewardMessage({ ...reward, archivedAt: now, version });
    return { id: reward.id, before, after };
  });
  return { reward: after };
}

import { create, toJsonString } from '@bufbuild/protobuf';
import { RewardsReversedSchema } from '../../../gen/laurel/v1/change_pb.ts';
import type { ClientCatalog } from '../../campaigns/catalog/catalog.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { enqueueWebhooks } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { reversedRewardMessage } from './reversal-message.ts';
import type { DoneReversal } from './batch-reversal.ts';

/** Announces each reversal that took rewards back, or left some that the account keeps. */
export async function announceReversals(
  uow: UnitOfWork,
  definitions: ClientCatalog['rewards'],
  done: readonly DoneReversal[],
): Promise<void> {
  await enqueueWebhooks(
    uow,
    done.flatMap(({ reversal, event, account, rewards }) => {
      if (rewards.length === 0) return [];
      const change = create(RewardsReversedSchema, {
        accountId: account.id,
        externalId: account.externalId,
        programmaticCode: event.programmaticCode,
        triggerOperationId: event.operationId ?? undefined,
        operationId: reversal.operationId || undefined,
        reason: reversal.reason,
        rewards: rewards.map((reward) => reversedRewardMessage(reward, definitions)),
      });
      return [
        {
          kind: 'REWARDS_REVERSED' as const,
          json: toJsonString(RewardsReversedSchema, change, { alwaysEmitImplicit: true }),
        },
      ];
    }),
  );
}

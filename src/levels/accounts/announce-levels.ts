import { create, type MessageInitShape, toJsonString } from '@bufbuild/protobuf';
import { LevelAtRiskSchema, LevelChangedSchema } from '../../../gen/laurel/v1/change_pb.ts';
import type { LevelMove } from '../../engine/levels/held-level.ts';
import type { WebhookMessage } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { toReachedLevel } from './level-message.ts';

/** An account in the webhooks of levels. */
export type LeveledRecipient = { readonly id: string; readonly externalId?: string | undefined };

/** A change of a level to announce. */
export function levelChanged(
  { id, externalId }: LeveledRecipient,
  { track, previousCode, number }: LevelMove,
  { operationId, rewards = [] }: Pick<MessageInitShape<typeof LevelChangedSchema>, 'operationId' | 'rewards'> = {},
): WebhookMessage {
  const about = { accountId: id, externalId, trackId: track.id, trackCode: track.code };
  const level = toReachedLevel(track, number);
  const change = create(LevelChangedSchema, { ...about, previousCode, level, operationId, rewards });
  return { kind: 'LEVEL_CHANGED', json: toJsonString(LevelChangedSchema, change, { alwaysEmitImplicit: true }) };
}

/** A review to announce that will take a level. */
export function levelAtRisk(
  { id, externalId }: LeveledRecipient,
  risk: Pick<
    MessageInitShape<typeof LevelAtRiskSchema>,
    'trackId' | 'trackCode' | 'level' | 'levelAfterReview' | 'reviewAt'
  >,
): WebhookMessage {
  const change = create(LevelAtRiskSchema, { accountId: id, externalId, ...risk });
  return { kind: 'LEVEL_AT_RISK', json: toJsonString(LevelAtRiskSchema, change, { alwaysEmitImplicit: true }) };
}

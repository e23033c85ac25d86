import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EmitTriggerResponseSchema } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { progressedMission } from '../campaigns/assignment-message.ts';
import type { ClientCatalog } from '../campaigns/catalog.ts';
import type { Decision } from '../engine/decision.ts';
import { answeredRewards } from '../rewards/answered-rewards.ts';
import type { Delivery } from '../rewards/delivery.ts';

/** The answer to one event: what it moved and what it earned. A routine's count of periods is not shown on its own. */
export function triggerResponse(
  catalog: ClientCatalog,
  decisions: readonly Decision[],
  deliveries: readonly Delivery[],
): MessageInitShape<typeof EmitTriggerResponseSchema> {
  return {
    progressedMissions: decisions.flatMap((decision) =>
      decision.kind === 'progressed' || decision.kind === 'completed' ? [progressedMission(catalog, decision)] : [],
    ),
    ...answeredRewards(deliveries),
  };
}

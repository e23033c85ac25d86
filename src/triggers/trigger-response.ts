import { create } from '@bufbuild/protobuf';
import { type ProgressedMission, ProgressedMissionSchema } from '../../gen/laurel/v1/assignment_pb.ts';
import { type EmitTriggerResponse, EmitTriggerResponseSchema } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { progressedMission } from '../campaigns/assignments/assignment-message.ts';
import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import type { Decision } from '../engine/decision.ts';
import type { Steps } from '../kernel/concurrency/time-slices.ts';
import { answeredRewards } from '../rewards/delivery/answered-rewards.ts';
import type { OrderOutcome } from '../rewards/delivery/earned-reward.ts';

/** Missions in one step of building an answer. */
const MISSIONS_PER_STEP = 50;

/** The answer to one event, in steps: its progress and its rewards. A routine's count of periods is not a separate mission in it. */
export function* triggerResponse(
  catalog: ClientCatalog,
  decisions: readonly Decision[],
  outcomes: readonly OrderOutcome[],
): Steps<EmitTriggerResponse> {
  const progressedMissions: ProgressedMission[] = [];
  for (const decision of decisions) {
    if (decision.kind !== 'progressed' && decision.kind !== 'completed') continue;
    progressedMissions.push(create(ProgressedMissionSchema, progressedMission(catalog, decision)));
    if (progressedMissions.length % MISSIONS_PER_STEP === 0) yield;
  }
  if (outcomes.length === 0) return create(EmitTriggerResponseSchema, { progressedMissions });
  return create(EmitTriggerResponseSchema, { progressedMissions, ...answeredRewards(outcomes) });
}

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

/** The progress in the answer to one event. A routine's count of periods is not a separate mission in it. */
export function progressedMissions(catalog: ClientCatalog, decisions: readonly Decision[]): ProgressedMission[] {
  const missions: ProgressedMission[] = [];
  for (const decision of decisions)
    if (decision.kind === 'progressed' || decision.kind === 'completed')
      missions.push(create(ProgressedMissionSchema, progressedMission(catalog, decision)));
  return missions;
}

/** {@link progressedMissions} in steps, because an event may concern thousands of missions. */
export function* progressedInSteps(catalog: ClientCatalog, decisions: readonly Decision[]): Steps<ProgressedMission[]> {
  const missions: ProgressedMission[] = [];
  for (let from = 0; from < decisions.length; from += MISSIONS_PER_STEP) {
    missions.push(...progressedMissions(catalog, decisions.slice(from, from + MISSIONS_PER_STEP)));
    yield;
  }
  return missions;
}

/** The answer to one event: its progress and its rewards. */
export function triggerResponse(missions: ProgressedMission[], outcomes: readonly OrderOutcome[]): EmitTriggerResponse {
  if (outcomes.length === 0) return create(EmitTriggerResponseSchema, { progressedMissions: missions });
  return create(EmitTriggerResponseSchema, { progressedMissions: missions, ...answeredRewards(outcomes) });
}

import {
  Mission_CountsSchema,
  Mission_OnReversalSchema,
  Mission_TypeSchema,
} from '../../../gen/laurel/v1/mission_pb.ts';
import type { MissionRule, MissionType } from '../../engine/missions/mission-rule.ts';
import { enumNames } from '../../kernel/enum-names.ts';

/**
 * Every mission type, in the order of the proto. The engine is pure and has its own list of types: a missing type does not compile here,
 * and an additional one does not compile in the messages.
 */
export const MISSION_TYPES: readonly MissionType[] = enumNames(Mission_TypeSchema);

/** Alternatives to the sum of amounts. */
export const MISSION_COUNTS: readonly NonNullable<MissionRule['counts']>[] = enumNames(Mission_CountsSchema);

/** Alternatives to keeping the periods that are over. */
export const MISSION_REVERSALS: readonly NonNullable<MissionRule['onReversal']>[] = enumNames(Mission_OnReversalSchema);

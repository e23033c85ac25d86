import { Mission_TypeSchema } from '../../../gen/laurel/v1/mission_pb.ts';
import type { MissionType } from '../../engine/missions/mission-rule.ts';
import { enumNames } from '../../kernel/enum-names.ts';

/**
 * Every mission type, in the order of the proto. The engine is pure and spells its types itself: where it lacks one of the
 * proto's, this does not compile; where it has one more, the messages do not.
 */
export const MISSION_TYPES: readonly MissionType[] = enumNames(Mission_TypeSchema);

import type { LevelService } from '../../gen/laurel/v1/level_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { listAccountLevels } from './accounts/list-account-levels.ts';

/** The levels of accounts. */
export const levelsService = { listAccountLevels } satisfies Handlers<typeof LevelService>;

import type { LeaderboardAdminService } from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { getLeaderboardDistribution } from '../reads/get-leaderboard-distribution.ts';
import { cancelLeaderboardRun } from '../runs/cancel-leaderboard-run.ts';
import { closeLeaderboardRun } from '../runs/close-leaderboard-run.ts';
import { activateLeaderboard, endLeaderboard } from './change-leaderboard-status.ts';
import { createLeaderboard } from './create-leaderboard.ts';
import { deleteLeaderboard } from './delete-leaderboard.ts';
import { getLeaderboardDefinition } from './get-leaderboard-definition.ts';
import { listLeaderboards } from './list-leaderboards.ts';
import { updateLeaderboard } from './update-leaderboard.ts';

/** The operations on one client's leaderboards. */
export const leaderboardAdminService = {
  createLeaderboard,
  listLeaderboards,
  getLeaderboardDefinition,
  updateLeaderboard,
  activateLeaderboard,
  endLeaderboard,
  deleteLeaderboard,
  closeLeaderboardRun,
  cancelLeaderboardRun,
  getLeaderboardDistribution,
} satisfies Handlers<typeof LeaderboardAdminService>;

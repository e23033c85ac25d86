import type { LeaderboardService } from '../../gen/laurel/v1/leaderboard_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { setAccountVisibility } from './entries/set-account-visibility.ts';
import { getAccountLeaderboard } from './reads/get-account-leaderboard.ts';
import { getLeaderboard } from './reads/get-leaderboard.ts';
import { getLeaderboardRanks } from './reads/get-leaderboard-ranks.ts';
import { listAccountLeaderboardRuns } from './reads/list-account-leaderboard-runs.ts';
import { listAccountLeaderboards } from './reads/list-account-leaderboards.ts';
import { listLeaderboardEntries, listLeaderboardRunEntries } from './reads/list-leaderboard-entries.ts';
import { listLeaderboardRuns } from './reads/list-leaderboard-runs.ts';

/** The operations on leaderboards for integrators. */
export const leaderboardsService = {
  getLeaderboard,
  listLeaderboardEntries,
  listLeaderboardRuns,
  listLeaderboardRunEntries,
  getLeaderboardRanks,
  listAccountLeaderboards,
  getAccountLeaderboard,
  listAccountLeaderboardRuns,
  setAccountVisibility,
} satisfies Handlers<typeof LeaderboardService>;

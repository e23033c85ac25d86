import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  LeaderboardPlace_Outcome as Outcome,
  type LeaderboardPlaceSchema,
} from '../../../gen/laurel/v1/leaderboard_pb.ts';
import type { Leagues } from '../../engine/leaderboards/leagues.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { rankedGroups } from './group-results.ts';
import { type FoundPlace, type GroupedRun, leaguesOfAccount, placesOfAccount } from './places.queries.ts';

/** A leaderboard with leagues, and a run of it. */
type Asked = {
  readonly board: { readonly id: string; readonly leagues: Leagues | null };
  readonly run: GroupedRun | undefined;
};

/** The API messages of an account's groups in runs, by the id of the run; runs in which it has none are left out. */
export async function placesInRuns(
  uow: UnitOfWork,
  accountId: string,
  leagues: Leagues,
  runs: readonly GroupedRun[],
): Promise<Map<string, MessageInitShape<typeof LeaderboardPlaceSchema>>> {
  const found = await placesOfAccount(
    uow,
    accountId,
    runs.map(({ id }) => id),
  );
  const messages = new Map<string, MessageInitShape<typeof LeaderboardPlaceSchema>>();
  for (const run of runs) {
    const place = found.get(run.id);
    if (place !== undefined) messages.set(run.id, await placeMessage(uow, accountId, leagues, run, place));
  }
  return messages;
}

/** The API messages of an account's present leagues and groups, by the id of the leaderboard; those without leagues are left out. */
export async function presentPlaces(
  uow: UnitOfWork,
  accountId: string,
  asked: readonly Asked[],
): Promise<Map<string, MessageInitShape<typeof LeaderboardPlaceSchema>>> {
  const wanted = asked.flatMap(({ board: { id, leagues }, run }) => (leagues ? [{ id, leagues, run }] : []));
  const present = await leaguesOfAccount(
    uow,
    accountId,
    wanted.map(({ id }) => id),
  );
  const messages = new Map<string, MessageInitShape<typeof LeaderboardPlaceSchema>>();
  for (const { id, leagues, run } of wanted) {
    const places = run === undefined ? undefined : await placesInRuns(uow, accountId, leagues, [run]);
    const league = present.get(id)!;
    messages.set(id, places?.get(run!.id) ?? { league, leagueName: nameOf(leagues, league) });
  }
  return messages;
}

async function placeMessage(
  uow: UnitOfWork,
  accountId: string,
  leagues: Leagues,
  run: GroupedRun,
  place: FoundPlace,
): Promise<MessageInitShape<typeof LeaderboardPlaceSchema>> {
  const { league, group, outcome } = place;
  const [ranked] = await rankedGroups(uow, run, [{ league, group }]);
  const own = ranked!.entries.find((entry) => entry.accountId === accountId);
  return {
    ...{ league, group, leagueName: nameOf(leagues, league), rank: own?.rank, entries: ranked!.entries.length },
    outcome: outcome === null ? undefined : Outcome[outcome],
  };
}

function nameOf({ names }: Leagues, league: number): string {
  return names[league - 1] ?? '';
}

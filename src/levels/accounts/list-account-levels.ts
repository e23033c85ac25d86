import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAccountLevelsRequest,
  ListAccountLevelsResponseSchema,
} from '../../../gen/laurel/v1/level_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { levelValuesOf } from '../../engine/levels/account-levels.ts';
import type { LevelTrack } from '../../engine/levels/level-track.ts';
import { statisticValuesOf } from '../../engine/statistics/statistic-values.ts';
import { loadTracks } from '../load-tracks.ts';
import { loadLevels } from './load-levels.ts';
import { toAccountLevelMessage } from './level-message.ts';

/** Lists the level of an account in each track: proto LevelService.ListAccountLevels. */
export function listAccountLevels(
  { db, principal, now }: Call,
  { accountId, idType }: ListAccountLevelsRequest,
): Promise<MessageInitShape<typeof ListAccountLevelsResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const [account, tracks] = await Promise.all([findAccountToRead(uow, { accountId, idType }), loadTracks(uow)]);
    const ids = account === undefined ? [] : [account.id];
    const { held, values } = await loadLevels(uow, { tracks, accountIds: ids, now });
    const own = held.get(account?.id ?? '');
    const statistics = values.get(account?.id ?? '') ?? withoutValues(tracks);
    return {
      rows: tracks.map((track) =>
        toAccountLevelMessage(
          track,
          own?.get(track.id),
          levelValuesOf(track, statistics, now.getTime()),
          now.getTime(),
        ),
      ),
    };
  });
}

/** The values of an account that does not exist: those of a new one. */
function withoutValues(tracks: readonly LevelTrack[]) {
  const statistics = new Map(tracks.map(({ statistic }) => [statistic.id, statistic]));
  return statisticValuesOf(statistics, { values: new Map(), days: new Set() });
}

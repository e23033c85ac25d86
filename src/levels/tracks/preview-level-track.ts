import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  PreviewLevelTrackRequest,
  PreviewLevelTrackResponseSchema,
} from '../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { clientZones } from '../../clients/client-zones.ts';
import { valuesOfPeriodsSql } from '../../statistics/values/statistic-sql.ts';
import { periodsOfTrack } from '../../engine/levels/level-track.ts';
import { readStatistic } from '../../statistics/statistic-plans.ts';
import type { StoredLevel } from './level-track.entity.ts';
import { contentOf, requireValidTrack, type RewardCheck } from './level-track-draft.ts';
import { levelTracks } from './level-tracks.queries.ts';

/** Counts the accounts that a draft raises and lowers: proto LevelTrackAdminService.PreviewLevelTrack. */
export function previewLevelTrack(
  { db, principal, now }: Call,
  request: PreviewLevelTrackRequest,
  requireRewards: RewardCheck,
): Promise<MessageInitShape<typeof PreviewLevelTrackResponseSchema>> {
  const content = contentOf(request.levelTrack!);
  return db.read(principal.clientId, async (uow) => {
    const stored = (await levelTracks(uow)).find(({ code }) => code === content.code);
    const statistic = await requireValidTrack(uow, content, requireRewards, stored?.levels);
    const calendar = await clientZones(uow);
    const { current, previous } = periodsOfTrack({ statistic: readStatistic(statistic, calendar) }, now.getTime());
    const periods = [current, ...(previous === undefined ? [] : [previous])].map(({ period }) => period);
    const rows = await uow.query<{ before: number; after: number; accounts: number }>(
      `with held as (
         select account_id, held_value as value from account_level where client_id = $1 and track_id = $2::uuid
       ), counted as (
         select account_id, max(value) as value from (${valuesOfPeriodsSql('$5::uuid', '$6::int[]')}) v group by account_id
       )
       select width_bucket(greatest(counted.value, held.value), $3::numeric[]) as before,
              width_bucket(greatest(counted.value, held.value), $4::numeric[]) as after, count(*)::int as accounts
         from counted full join held using (account_id)
        where coalesce(counted.value, held.value) is not null
        group by 1, 2`,
      [
        uow.clientId,
        stored?.id ?? null,
        stored?.levels.map(({ threshold }) => threshold) ?? [],
        content.levels.map(({ threshold }) => threshold),
        statistic.id,
        periods,
      ],
    );
    return answerOf(content.levels, stored?.levels ?? [], rows);
  });
}

/** The accounts of each pair of a level before and after. */
type Counted = { readonly before: number; readonly after: number; readonly accounts: number };

function answerOf(
  draft: readonly StoredLevel[],
  stored: readonly StoredLevel[],
  counted: readonly Counted[],
): MessageInitShape<typeof PreviewLevelTrackResponseSchema> {
  const sum = (rows: readonly Counted[]) => rows.reduce((total, { accounts }) => total + accounts, 0);
  const moved = counted.map((row) => ({ ...row, rise: row.after - positionIn(draft, stored[row.before - 1]) }));
  return {
    rising: sum(moved.filter(({ rise }) => rise > 0)),
    falling: sum(moved.filter(({ rise }) => rise < 0)),
    unchanged: sum(moved.filter(({ rise }) => rise === 0)),
    levels: [undefined, ...draft].map((level, number) => ({
      code: level?.code,
      accounts: sum(counted.filter(({ after }) => after === number)),
      accountsNow: sum(counted.filter(({ before }) => stored[before - 1]?.code === level?.code)),
    })),
  };
}

/** The position of a stored level in a draft, from 1: that of its code; of a removed level, that of its threshold. 0 for none. */
function positionIn(draft: readonly StoredLevel[], level: StoredLevel | undefined): number {
  if (level === undefined) return 0;
  const same = draft.findIndex(({ code }) => code === level.code) + 1;
  return same > 0 ? same : draft.filter(({ threshold }) => threshold <= level.threshold).length;
}

import type { Merging } from '../../persistence/subjects/account-part.ts';
import { unitedRows } from '../../persistence/subjects/merged-rows.ts';
import { streakRiskTable } from './streak-risk.entity.ts';
import { finishLooks, looksOf } from './streak-risks.queries.ts';

type Joins = Extract<Merging, { kind: 'joins' }>;

const united = unitedRows(streakRiskTable, {
  key: ['missionId'],
  onBoth:
    'next_at = least(t.next_at, excluded.next_at), warned_period = greatest(t.warned_period, excluded.warned_period)',
});

/** The merging of looks: a look is no change that hinders an undo, and a period that was announced since is not announced twice. */
export const mergedLooks: Joins = {
  ...united,
  async separate(uow, pair, kept) {
    const since = new Map((await looksOf(uow, pair.into)).map((look) => [look.missionId, look.warnedPeriod]));
    await united.separate(uow, pair, kept);
    const own = await looksOf(uow, pair.into);
    const warned = own.flatMap((look) => {
      const later = since.get(look.missionId) ?? -Infinity;
      return later > (look.warnedPeriod ?? -Infinity) ? [{ ...look, warnedPeriod: later }] : [];
    });
    await finishLooks(uow, warned);
  },
};

import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import type { Merging } from '../../persistence/subjects/account-part.ts';
import { movedRows } from '../../persistence/subjects/merged-rows.ts';
import { streakFreezeTable } from './streak-freeze.entity.ts';

type Joins = Extract<Merging, { kind: 'joins' }>;

/** The ids of the lines that each account had, as an undo needs them. */
type KeptLines = { readonly moved: readonly string[]; readonly own: readonly string[] };

const moved = movedRows(streakFreezeTable);

/**
 * The merging of ledgers. A line of a use, or of its return, follows from the runs: an undo removes those that came since, with the merge or
 * by a read, and the next change of each account decides them again. Any other line makes the undo impossible.
 */
export const mergedLedgers: Joins = {
  kind: 'joins',
  changedBy: 'freezes',
  decidedBy: `type not in ('USE', 'RETURN')`,
  async join(uow, pair) {
    const own = await linesOf(uow, pair.into);
    return { moved: await moved.join(uow, pair), own };
  },
  async separate(uow, pair, kept) {
    const lines = kept as unknown as KeptLines;
    const known = new Set([...lines.moved, ...lines.own]);
    await removeLines(
      uow,
      (await linesOf(uow, pair.into)).filter((id) => !known.has(id)),
    );
    await moved.separate(uow, pair, [...lines.moved]);
  },
};

async function linesOf(uow: UnitOfWork, accountId: string): Promise<string[]> {
  const rows = await uow.query<{ id: string }>(
    `select id from ${lookUpByKey({
      select: 'id',
      from: 'streak_freeze',
      key: { account_id: '$2::uuid' },
      many: true,
    })} own`,
    [uow.clientId, accountId],
  );
  return rows.map(({ id }) => id);
}

async function removeLines(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await uow.query(
    `delete from streak_freeze f using ${lockedRows({
      source: 'unnest($2::uuid[]) as r(id)',
      alias: 'r',
      table: 'streak_freeze',
      key: { id: 'r.id' },
    })} where f.client_id = $1 and f.ctid = r.row_ctid`,
    [uow.clientId, ids],
  );
}

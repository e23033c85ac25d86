import type { JsonValue } from '@bufbuild/protobuf';
import type { UnitOfWork } from '../../persistence/database.ts';
import { limitedKeys, lookUpByKey } from '../../persistence/key-lookup.ts';
import type { MergedPair, Merging } from '../../persistence/subjects/account-part.ts';

/** An assignment of an account that has become another one. */
export type RenamedAssignment = {
  readonly from: string;
  /** The assignment that replaces it. */
  readonly to: string;
  /** Added to the numbers of the rounds that were paid, negative in an undo. */
  readonly roundsBefore: number;
};

/**
 * Earned rewards in a merge. Here they are only locked: {@link giveRewards} moves them once their new assignments are known, and
 * {@link returnRewards} moves them back. So each row is written once.
 */
export const mergedRewards: Extract<Merging, { kind: 'joins' }> = {
  kind: 'joins',
  changedBy: 'a reward',
  async join(uow, { from }) {
    const rows = await uow.query<{ id: string }>(
      `select id from ${lookUpByKey({
        select: 'id',
        from: 'earned_reward',
        key: { account_id: '$2::uuid' },
        many: true,
        lock: 'for no key update',
      })} own`,
      [uow.clientId, from],
    );
    return rows.map(({ id }) => id);
  },
  async separate(uow, _pair, kept) {
    await uow.query(
      `select from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
        select: '1',
        from: 'earned_reward',
        key: { id: 'wanted.id' },
        lock: 'for no key update',
      })} held`,
      [uow.clientId, idsOf(kept).toSorted()],
    );
  },
};

/** The columns that {@link moveSql} reads of a reward. */
const MOVED = 'ctid as row_ctid, assignment_id, first_round';

/** Gives the locked earned rewards of an account to another one, with the assignments that replace theirs. */
export async function giveRewards(
  uow: UnitOfWork,
  { from, into }: MergedPair,
  renamed: readonly RenamedAssignment[],
): Promise<void> {
  const own = lookUpByKey({ select: MOVED, from: 'earned_reward', key: { account_id: '$6::uuid' }, many: true });
  await uow.query(moveSql(`${own} r`), [uow.clientId, into, ...columnsOf(renamed), from]);
}

/** The reverse, for the rewards that {@link mergedRewards} has kept and locked. */
export async function returnRewards(
  uow: UnitOfWork,
  { from }: Pick<MergedPair, 'from'>,
  kept: JsonValue,
  renamed: readonly RenamedAssignment[],
): Promise<void> {
  const ids = idsOf(kept);
  if (ids.length === 0) return;
  const own = lookUpByKey({ select: MOVED, from: 'earned_reward', key: { id: 'k.id' } });
  const rows = `${limitedKeys('unnest($6::uuid[]) as k(id)', 'k', '$6::uuid[]')} cross join ${own} r`;
  await uow.query(moveSql(rows), [uow.clientId, from, ...columnsOf(renamed), ids]);
}

function idsOf(kept: JsonValue): readonly string[] {
  return kept as readonly string[];
}

/** SQL that gives rewards to the account `$2`; `$3` to `$5` are the assignments. @param rows SQL of rows `r` with the columns MOVED */
function moveSql(rows: string): string {
  return `update earned_reward e
      set account_id = $2::uuid, assignment_id = own.assignment_id, first_round = own.first_round
     from (select r.row_ctid, coalesce(m.renamed, r.assignment_id) as assignment_id,
                  r.first_round + coalesce(m.rounds_before, 0) as first_round
             from ${rows} left join unnest($3::uuid[], $4::uuid[], $5::int[]) as m(id, renamed, rounds_before)
               on m.id = r.assignment_id) own
    where e.client_id = $1 and e.ctid = own.row_ctid`;
}

function columnsOf(renamed: readonly RenamedAssignment[]) {
  return [renamed.map(({ from }) => from), renamed.map(({ to }) => to), renamed.map((each) => each.roundsBefore)];
}

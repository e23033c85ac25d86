import type { HeldLevel } from '../../engine/levels/held-level.ts';
import { amountFromDecimal, amountToDecimal } from '../../kernel/amount.ts';
import { CLIENT_ROW } from '../../persistence/client-row.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';

/** The state of an account in a track, to store. */
export type LevelRow = {
  readonly accountId: string;
  readonly trackId: string;
  readonly held: HeldLevel;
  /** The time of the next step, see `nextStepAt`. */
  readonly nextStepAt: number | undefined;
};

/** The stored states of accounts, by account and by track. */
export async function heldLevels(
  uow: UnitOfWork,
  accountIds: readonly string[],
): Promise<Map<string, Map<string, HeldLevel>>> {
  const held = new Map<string, Map<string, HeldLevel>>();
  if (accountIds.length === 0) return held;
  const rows = await uow.query<{
    accountId: string;
    trackId: string;
    code: string | null;
    since: Date;
    heldValue: string | null;
    reviewAt: Date | null;
    isWarned: boolean;
    paid: string;
  }>(
    `select l.account_id as "accountId", l.track_id as "trackId", l.code, l.since, l.held_value as "heldValue",
            l.review_at as "reviewAt", l.is_warned as "isWarned", array_to_string(l.paid, ' ') as paid
       from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
         select: 'account_id, track_id, code, since, held_value, review_at, is_warned, paid',
         from: 'account_level',
         key: { account_id: 'wanted.id' },
         many: true,
       })} l`,
    [uow.clientId, accountIds],
  );
  for (const { accountId, trackId, code, since, heldValue, reviewAt, isWarned, paid } of rows) {
    const own = held.get(accountId) ?? new Map<string, HeldLevel>();
    held.set(accountId, own);
    own.set(trackId, {
      code: code ?? undefined,
      since: since.getTime(),
      heldValue: heldValue === null ? undefined : amountFromDecimal(heldValue),
      reviewAt: reviewAt?.getTime(),
      isWarned,
      // The codes of levels have no spaces.
      paid: paid === '' ? [] : paid.split(' '),
    });
  }
  return held;
}

/** Stores states in one statement. The caller has locked the accounts, so that no two writers wait for each other here. @param rows one for each account and track */
export async function saveLevels(uow: UnitOfWork, rows: readonly LevelRow[]): Promise<void> {
  if (rows.length === 0) return;
  const held = rows.map((row) => row.held);
  const date = (at: number | undefined) => (at === undefined ? null : new Date(at));
  await uow.query(
    `insert into account_level as l
            (client_id, account_id, track_id, code, since, held_value, review_at, is_warned, next_step_at, paid)
     select client_row.client_id, r.account_id, r.track_id, r.code, r.since, r.held_value, r.review_at, r.is_warned, r.next_step_at,
            string_to_array(r.paid, ' ')
       from ${CLIENT_ROW}
      cross join unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::numeric[], $7::timestamptz[], $8::boolean[],
                        $9::timestamptz[], $10::text[])
            as r(account_id, track_id, code, since, held_value, review_at, is_warned, next_step_at, paid)
     on conflict (client_id, account_id, track_id) do update
        set code = excluded.code, since = excluded.since, held_value = excluded.held_value, review_at = excluded.review_at,
            is_warned = excluded.is_warned, next_step_at = excluded.next_step_at, paid = excluded.paid`,
    [
      uow.clientId,
      rows.map(({ accountId }) => accountId),
      rows.map(({ trackId }) => trackId),
      held.map(({ code }) => code ?? null),
      held.map(({ since }) => new Date(since)),
      held.map(({ heldValue }) => (heldValue === undefined ? null : amountToDecimal(heldValue))),
      held.map(({ reviewAt }) => date(reviewAt)),
      held.map(({ isWarned }) => isWarned),
      rows.map(({ nextStepAt }) => date(nextStepAt)),
      held.map(({ paid }) => paid.join(' ')),
    ],
  );
}

/** An account whose review or warning is due in a track. */
export type DueLevel = { readonly accountId: string; readonly trackId: string };

/** The first steps that are due, by their times. */
export function dueLevels(uow: UnitOfWork, now: Date, limit: number): Promise<DueLevel[]> {
  return uow.query<DueLevel>(
    `select account_id as "accountId", track_id as "trackId" from account_level
      where client_id = $1 and next_step_at <= $2 order by client_id, next_step_at, account_id, track_id limit $3`,
    [uow.clientId, now, limit],
  );
}

/** Ends the reviews of accounts or tracks that no longer exist. The caller has locked the accounts that exist. */
export async function endReviews(uow: UnitOfWork, due: readonly DueLevel[]): Promise<void> {
  if (due.length === 0) return;
  await uow.query(
    `update account_level l set next_step_at = null
       from ${lockedRows({
         source: 'unnest($2::uuid[], $3::uuid[]) as r(account_id, track_id)',
         alias: 'r',
         table: 'account_level',
         key: { account_id: 'r.account_id', track_id: 'r.track_id' },
       })}
      where l.client_id = $1 and l.ctid = r.row_ctid`,
    [uow.clientId, due.map(({ accountId }) => accountId), due.map(({ trackId }) => trackId)],
  );
}

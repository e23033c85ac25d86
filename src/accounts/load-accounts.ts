import type { JsonValue } from '@bufbuild/protobuf';
import { newId } from '../kernel/ids.ts';
import type { Sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { sizeFault } from './account-attributes.ts';
import { indexAccounts } from './account-index.ts';
import type { Account } from './account.ts';
import { selectAccounts } from './accounts.queries.ts';
import type { AccountMover } from './update-account.ts';
import { insertImportedAccounts, type ImportedAccount, updateImportedAttributes } from './imported-accounts.queries.ts';

export type { ImportedAccount } from './imported-accounts.queries.ts';

/** An account after its statement has been loaded. A refused one is unchanged, for the reason in `fault`. */
export type LoadedAccount =
  | { readonly id: string; readonly outcome: 'created' | 'updated' | 'unchanged' }
  | { readonly id: string; readonly outcome: 'refused'; readonly fault: Sentence };

/**
 * Brings accounts to their stated values: creates unknown accounts, changes different ones and leaves the others alone. It refuses accounts
 * whose attributes would have too many bytes with the new ones. It runs a handful of statements for any number of accounts. An external id
 * must not occur twice.
 * @param move follows a change of the time zone
 * @returns one result per account, in order
 */
export async function loadAccounts(
  uow: UnitOfWork,
  stated: readonly ImportedAccount[],
  now: Date,
  move: AccountMover,
): Promise<LoadedAccount[]> {
  const { known, created, differing } = await lockOrCreate(uow, stated, now);
  const faults = new Map(differing.flatMap(({ id, fault }) => (fault === undefined ? [] : [[id, fault]])));
  const changing = differing.filter(({ fault }) => fault === undefined);
  await updateImportedAttributes(uow, changing, now);
  await move(
    uow,
    changing.flatMap(({ id, timeZone }) => (timeZone === undefined ? [] : [id])),
    now,
  );
  const changed = new Set(changing.map(({ id }) => id));
  return stated.map(({ externalId }) => {
    const newcomer = created.get(externalId);
    if (newcomer !== undefined) return { id: newcomer, outcome: 'created' };
    const { id } = known.get(externalId)!;
    const fault = faults.get(id);
    if (fault !== undefined) return { id, outcome: 'refused', fault };
    return { id, outcome: changed.has(id) ? 'updated' : 'unchanged' };
  });
}

type WithId = ImportedAccount & { readonly id: string };

type Differing = WithId & { readonly fault: Sentence | undefined };

type Sorted = {
  /** The accounts that existed before, by external id. */
  readonly known: ReadonlyMap<string | undefined, Account>;
  /** The ids of the created accounts, by external id. */
  readonly created: ReadonlyMap<string, string>;
  /** The existing accounts that need a change, locked. One with a `fault` must not have it. */
  readonly differing: readonly Differing[];
};

/**
 * Locks follow the order of the whole service: existing rows by id, then new keys by external id. If another transaction creates one of
 * those keys first, a lock on its row would break the order. Then all locks are released and taken again.
 */
async function lockOrCreate(uow: UnitOfWork, stated: readonly ImportedAccount[], now: Date): Promise<Sorted> {
  const externalIds = stated.map(({ externalId }) => externalId);
  for (;;) {
    const [, found] = await Promise.all([
      uow.query('savepoint before_accounts'),
      selectAccounts(uow, { ids: [], externalIds }),
    ]);
    const { byExternalId: known } = indexAccounts(found);
    const differing = await lockDiffering(uow, stated, known);
    const unknown = stated
      .filter(({ externalId }) => !known.has(externalId))
      .toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1))
      .map((account): WithId => ({ ...account, id: newId() }));
    if ((await insertImportedAccounts(uow, unknown, now)) === unknown.length) {
      return { known, created: new Map(unknown.map(({ externalId, id }) => [externalId, id])), differing };
    }
    await uow.query('rollback to savepoint before_accounts');
  }
}

/**
 * The accounts that differ from their stated attributes, locked. They are compared again under the lock, because they may have changed
 * meanwhile. Equal accounts are not locked, so that a repeated import writes no rows.
 */
async function lockDiffering(
  uow: UnitOfWork,
  stated: readonly ImportedAccount[],
  known: ReadonlyMap<string | undefined, Account>,
): Promise<Differing[]> {
  const candidates = stated.flatMap((account): WithId[] => {
    const present = known.get(account.externalId);
    return present !== undefined && differs(account, present) ? [{ ...account, id: present.id }] : [];
  });
  if (candidates.length === 0) return [];
  const ids = candidates.map(({ id }) => id);
  const { find } = indexAccounts(await selectAccounts(uow, { ids, externalIds: [] }, 'change'));
  return candidates.flatMap((account) => {
    const present = find(account);
    if (present === undefined || !differs(account, present)) return [];
    const fault = account.attributes && sizeFault({ ...present.attributes, ...account.attributes });
    return [{ ...account, id: present.id, fault }];
  });
}

function differs(stated: ImportedAccount, present: Account): boolean {
  const texts = ['email', 'name', 'timeZone'] as const;
  return (
    texts.some((text) => stated[text] !== undefined && stated[text] !== present[text]) ||
    Object.entries(stated.attributes ?? {}).some(([name, value]) => !isSame(value, present.attributes?.[name]))
  );
}

function isSame(one: JsonValue, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

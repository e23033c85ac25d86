import type { Account } from '../../accounts/account.ts';
import { NO_PERIOD } from '../../engine/assignment.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { loadAccountContexts, type LoadedAccount } from '../assignments/account-contexts.ts';
import type { ClientCatalog } from '../catalog/client-catalog.ts';
import { freezesOf, freezingPlans, usesToStore } from './freezes-of-accounts.ts';
import { freezeLedgers, insertFreezeEntries } from './streak-freezes.queries.ts';

/**
 * Stores the freezes that a locked account has used by now.
 * @returns the number that it owns
 */
export async function settleFreezes(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  account: Account,
  now: Date,
): Promise<number> {
  const [settled] = await withSettledFreezes(uow, catalog, [account], now);
  if (freezingPlans(catalog).length > 0) return settled!.freezes?.present.owned ?? 0;
  if (catalog.streakSettings.freezesMax === 0) return 0;
  // Events of a client without a STREAK do not need the ledger.
  const ledger = (await freezeLedgers(uow, [account.id])).get(account.id);
  return freezesOf(catalog, ledger, settled!, now.getTime())?.present.owned ?? 0;
}

/**
 * Stores the freezes that locked accounts have used by now.
 * @returns the accounts with their freezes and vacations, in order
 */
export async function withSettledFreezes(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  accounts: readonly Account[],
  now: Date,
): Promise<LoadedAccount[]> {
  const ids = freezingPlans(catalog).map(({ missionId }) => missionId);
  const selection = { missionsOf: new Map(accounts.map(({ id }) => [id, ids])), periodKeys: [NO_PERIOD] };
  const contexts = await loadAccountContexts(uow, catalog, accounts, selection, now);
  const settled = accounts.map(({ id }) => contexts.get(id)!);
  const lines = settled.flatMap(({ accountId, freezes }) => usesToStore(catalog, accountId, freezes));
  await insertFreezeEntries(uow, lines, now);
  return settled;
}

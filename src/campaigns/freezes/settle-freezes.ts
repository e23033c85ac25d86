import type { Account } from '../../accounts/account.ts';
import { NO_PERIOD } from '../../engine/assignment.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { loadAccountContexts } from '../assignments/account-contexts.ts';
import type { ClientCatalog } from '../catalog/client-catalog.ts';
import { freezingPlans, usesToStore } from './freezes-of-accounts.ts';
import { insertFreezeEntries } from './streak-freezes.queries.ts';

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
  const ids = freezingPlans(catalog).map(({ missionId }) => missionId);
  const selection = { missionsOf: new Map([[account.id, ids]]), periodKeys: [NO_PERIOD] };
  const contexts = await loadAccountContexts(uow, catalog, [account], selection, now);
  const { freezes } = contexts.get(account.id)!;
  await insertFreezeEntries(uow, usesToStore(catalog, account.id, freezes), now);
  return freezes?.present.owned ?? 0;
}

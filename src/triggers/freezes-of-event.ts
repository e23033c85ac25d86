import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { usesToStore } from '../campaigns/freezes/freezes-of-accounts.ts';
import type { NewFreezeEntry } from '../campaigns/freezes/freeze-entry.ts';
import { insertFreezeEntries } from '../campaigns/freezes/streak-freezes.queries.ts';
import { freezesOfMilestone } from '../engine/freezes/account-freezes.ts';
import type { AccountFreezes } from '../engine/freezes/freeze-ledger.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { Rewardable } from './batch-trigger.ts';

/** The part of an event, or of a merge of accounts, that moves freezes. */
type Freezing = Pick<Rewardable, 'account' | 'claim' | 'context' | 'decisions'>;

/** Stores the freezes that the accounts of a batch have used by now, and those that they get by milestones. */
export async function storeFreezes(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  decided: readonly Freezing[],
  now: Date,
): Promise<void> {
  if (catalog.streakSettings.freezesMax === 0) return;
  const freezes = new Map(decided.map(({ account, context }) => [account.id, context.freezes]));
  const uses = [...freezes].flatMap(([accountId, own]) => usesToStore(catalog, accountId, own));
  await insertFreezeEntries(uow, [...uses, ...earnedFreezes(catalog, decided, freezes, now)], now);
}

/** The freezes of milestones, as far as the accounts may keep them and do not have them from an earlier run. */
function earnedFreezes(
  { streakSettings: { freezesMax } }: ClientCatalog,
  decided: readonly Freezing[],
  freezes: ReadonlyMap<string, AccountFreezes | undefined>,
  now: Date,
): NewFreezeEntry[] {
  const owned = new Map([...freezes].map(([accountId, own]) => [accountId, own?.present.owned ?? 0]));
  return decided.flatMap(({ account, claim, decisions }) =>
    decisions.flatMap((decision) => {
      if (decision.kind !== 'progressed' && decision.kind !== 'completed') return [];
      const { missionId, milestones = [] } = decision;
      return milestones.flatMap(({ length, freezes: given = 0 }): NewFreezeEntry[] => {
        const ledger = freezes.get(account.id)?.ledger;
        const due = given - (ledger === undefined ? 0 : freezesOfMilestone(ledger, missionId, length));
        const has = owned.get(account.id)!;
        const amount = Math.min(due, freezesMax - has);
        if (amount <= 0) return [];
        owned.set(account.id, has + amount);
        const about = { accountId: account.id, missionId, milestone: length, operationId: claim?.operationId };
        return [{ ...about, type: 'EARN', amount, at: now }];
      });
    }),
  );
}

import { changedUses, freezesAt, type FreezingAccount } from '../../engine/freezes/account-freezes.ts';
import type { AccountFreezes, FreezeLedger, FreezeUse } from '../../engine/freezes/freeze-ledger.ts';
import type { MissionPlan } from '../../engine/missions/mission-plan.ts';
import { missionTypes } from '../../engine/missions/mission-types.ts';
import { periodKey } from '../../engine/time/period.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { ClientCatalog } from '../catalog/client-catalog.ts';
import type { NewFreezeEntry } from './freeze-entry.ts';

const streaks = new WeakMap<ClientCatalog, readonly MissionPlan[]>();

/** The missions of a client that use freezes; none for a client without freezes. */
export function freezingPlans(catalog: ClientCatalog): readonly MissionPlan[] {
  if (catalog.streakSettings.freezesMax === 0) return [];
  const known = streaks.get(catalog);
  if (known) return known;
  const plans = [...catalog.rules.missions.values()].filter(({ type }) => missionTypes[type].usesFreezes);
  streaks.set(catalog, plans);
  return plans;
}

/** The freezes of an account; undefined for one without a ledger. The assignments of all {@link freezingPlans} are loaded. */
export function freezesOf(
  catalog: ClientCatalog,
  ledger: FreezeLedger | undefined,
  account: FreezingAccount,
  now: Timestamp,
): AccountFreezes | undefined {
  if (ledger === undefined) return undefined;
  return { ledger, present: freezesAt(freezingPlans(catalog), ledger, account, now) };
}

/** The lines to store for the uses of an account since the last ones. */
export function usesToStore(
  { rules }: Pick<ClientCatalog, 'rules'>,
  accountId: string,
  freezes: AccountFreezes | undefined,
): readonly NewFreezeEntry[] {
  if (freezes === undefined) return [];
  const { added, returned } = changedUses(freezes);
  const entry = (type: 'USE' | 'RETURN', { missionId, period, at }: FreezeUse): NewFreezeEntry => {
    const unit = rules.missions.get(missionId)?.periodUnit ?? 'DAY';
    const about = { accountId, missionId, period, periodKey: periodKey(unit, period), at: new Date(at) };
    return { ...about, type, amount: type === 'USE' ? -1 : 1 };
  };
  return [...returned.map((use) => entry('RETURN', use)), ...added.map((use) => entry('USE', use))];
}

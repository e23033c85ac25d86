import { assignmentKey, type AssignmentState } from '../../engine/assignment.ts';
import type { RuleCatalog } from '../../engine/catalog.ts';
import { canLowerTarget, underTarget } from '../../engine/missions/lowered-target.ts';
import type { MissionPlan } from '../../engine/missions/mission-plan.ts';
import { isCountOfPeriods } from '../../engine/missions/mission-types.ts';
import { type Amount, amountFromDecimal, ONE } from '../../kernel/amount.ts';
import { inTimeSlices, type Steps } from '../../kernel/concurrency/time-slices.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { assignmentTable } from './assignment.entity.ts';

/** The assignments of some accounts: account id, then the engine's assignment key. */
export type AssignmentsByAccount = Map<string, Map<string, AssignmentState>>;

/** The filter of the assignments to read. `missionsOf` has the ids of missions by account id; without it all missions are read. */
export type AssignmentChoice =
  | { readonly missionsOf: ReadonlyMap<string, readonly string[]>; readonly periodKeys: readonly string[] }
  | { readonly missionsOf?: undefined; readonly periodKeys?: readonly string[] | undefined };

/** The assignments to read: accounts and filter. */
export type AssignmentSelection = AssignmentChoice & { readonly accountIds: readonly string[] };

const COLUMNS = columnsOf(assignmentTable, [
  'accountId',
  'missionId',
  'periodKey',
  'id',
  'progress',
  'status',
  'state',
  'startedAt',
  'completedAt',
  'completionOccurredAt',
]);

/** The table also allows EXPIRED, which is never written: reads compute it from the dates. */
type AssignmentRow = RowOf<typeof COLUMNS> & { readonly status: 'ACTIVE' | 'COMPLETED' };

/**
 * Reads assignments in one statement. Assignments of missions outside the catalogue are left out. A caller that writes must hold the
 * accounts' locks.
 */
export async function loadAssignments(
  uow: UnitOfWork,
  rules: RuleCatalog,
  { accountIds, missionsOf, periodKeys }: AssignmentSelection,
): Promise<AssignmentsByAccount> {
  const byAccount: AssignmentsByAccount = new Map(accountIds.map((id) => [id, new Map()]));
  const ids = [...byAccount.keys()];
  const rows = await rowsOf(uow, ids, { missionsOf, periodKeys } as AssignmentChoice);
  await inTimeSlices(enter());
  return byAccount;

  function* enter(): Steps<void> {
    let done = 0;
    for (const row of rows) {
      const plan = rules.missions.get(row.mission_id);
      if (plan !== undefined)
        byAccount.get(row.account_id)?.set(assignmentKey(row.mission_id, row.period_key), stateOf(plan, row));
      if ((done += 1) % ROWS_PER_STEP === 0) yield;
    }
  }
}

/**
 * Look-ups for one account up to which each row is read by its whole key. One takes 5 µs; reading all rows of an account in a campaign of
 * five missions takes 20 µs. Above the limit, all rows of the accounts are read together, including those of old periods.
 */
const LOOK_UPS_MAX = 4;

async function rowsOf(uow: UnitOfWork, ids: readonly string[], choice: AssignmentChoice): Promise<AssignmentRow[]> {
  if (ids.length === 0) return [];
  const { missionsOf, periodKeys } = choice;
  if (missionsOf === undefined) return rowsOfAccounts(uow, ids, periodKeys && { period_key: periodKeys });
  const pairs = { accounts: [] as string[], missions: [] as string[] };
  for (const id of ids)
    for (const mission of missionsOf.get(id) ?? []) {
      pairs.accounts.push(id);
      pairs.missions.push(mission);
    }
  const { length } = pairs.accounts;
  if (length === 0) return [];
  if (length * choice.periodKeys.length > LOOK_UPS_MAX * ids.length)
    return rowsOfAccounts(uow, ids, { period_key: choice.periodKeys, mission_id: [...new Set(pairs.missions)] });
  const key = { account_id: 'wanted.account', mission_id: 'wanted.mission', period_key: 'period' };
  return uow.query<AssignmentRow>(
    `select a.* from unnest($2::uuid[], $3::uuid[]) as wanted(account, mission) cross join unnest($4::text[]) as period
      cross join ${lookUpByKey({ select: COLUMNS, from: 'assignment', key })} a`,
    [uow.clientId, pairs.accounts, pairs.missions, choice.periodKeys],
  );
}

/** The assignments of accounts, limited to some periods and missions. */
function rowsOfAccounts(
  uow: UnitOfWork,
  ids: readonly string[],
  among: { readonly period_key?: readonly string[]; readonly mission_id?: readonly string[] } = {},
): Promise<AssignmentRow[]> {
  const values: unknown[] = [uow.clientId, ids];
  const { period_key: periods, mission_id: missions } = among;
  const conditions = [
    ...(periods === undefined ? [] : [`period_key = any($${values.push(periods)}::text[])`]),
    ...(missions === undefined ? [] : [`mission_id = any($${values.push(missions)}::uuid[])`]),
  ];
  const and = conditions.length === 0 ? undefined : conditions.join(' and ');
  return uow.query<AssignmentRow>(
    `select a.* from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({ select: COLUMNS, from: 'assignment', key: { account_id: 'wanted.id' }, and, many: true })} a`,
    values,
  );
}

/** Rows converted in one step. */
const ROWS_PER_STEP = 200;

/** The target of a row, by its definition, whose target may have become lower since. */
function targetOf(plan: MissionPlan, { period_key: periodKey }: AssignmentRow): Amount {
  return isCountOfPeriods(plan, periodKey) ? BigInt(plan.occurrences ?? 0) * ONE : plan.target;
}

function stateOf(plan: MissionPlan, row: AssignmentRow): AssignmentState {
  const state: AssignmentState = {
    id: row.id,
    missionId: row.mission_id,
    accountId: row.account_id,
    periodKey: row.period_key,
    progress: amountFromDecimal(row.progress),
    target: targetOf(plan, row),
    status: row.status,
    startedAt: row.started_at.getTime(),
    completedAt: row.completed_at?.getTime(),
    completionOccurredAt: row.completion_occurred_at?.getTime(),
    detail: row.state ?? undefined,
  };
  return canLowerTarget(plan) ? underTarget(state) : state;
}

/** Rows in one statement: the driver needs two milliseconds to serialize its parameters, without a pause. */
const ROWS_MAX = 500;

/**
 * Writes new and changed assignments, 500 in one statement: `unnest` reached 2.1 times the events per second of MikroORM's upsertMany in
 * the same transaction. The caller holds the accounts' locks, so no other change is overwritten.
 */
export async function saveAssignments(uow: UnitOfWork, states: readonly AssignmentState[], now: Date): Promise<void> {
  for (let first = 0; first < states.length; first += ROWS_MAX)
    await saveRows(
      uow,
      states.slice(first, first + ROWS_MAX).map((state) => ({
        ...state,
        state: state.detail,
        startedAt: new Date(state.startedAt),
        completedAt: dateOf(state.completedAt),
        completionOccurredAt: dateOf(state.completionOccurredAt),
        updatedAt: now,
      })),
    );
}

const saveRows = insertInto(assignmentTable, {
  shared: ['updatedAt'],
  conflict: { key: ['accountId', 'missionId', 'periodKey'], do: 'update', keep: ['id'] },
});

function dateOf(moment: number | undefined): Date | null {
  return moment === undefined ? null : new Date(moment);
}

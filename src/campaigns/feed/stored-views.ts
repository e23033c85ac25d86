import type { AccountRef } from '../../accounts/account-ref.ts';
import { findAccountToRead } from '../../accounts/find-account-to-read.ts';
import { create } from '@bufbuild/protobuf';
import { type Assignment, AssignmentSchema } from '../../../gen/laurel/v1/assignment_pb.ts';
import type { AssignmentState } from '../../engine/assignment.ts';
import { isCountOfPeriods } from '../../engine/missions/mission-types.ts';
import { type AssignmentView, viewAssignment } from '../../engine/missions/view-mission.ts';
import { inSlices, type Steps } from '../../kernel/slices.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { batchedLookUp } from '../../persistence/batching/batched-look-up.ts';
import { toAssignmentMessage } from '../assignments/assignment-message.ts';
import { loadAssignments } from '../assignments/assignments.queries.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';

/**
 * The assignments of one account that have a row, as they stand at `now`, those that `chosen` picks; nothing for an
 * unknown external id. The count of a ROUTINE's periods is no assignment of its own and is left out.
 * @param order which of two comes first
 * @throws DomainError 400 malformed, 404 `ACCOUNT_NOT_FOUND` for an unknown internal id
 */
export async function storedViews(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  ref: AccountRef,
  now: Date,
  chosen: (view: AssignmentView) => boolean,
  order: (a: AssignmentView, b: AssignmentView) => number,
): Promise<Assignment[]> {
  const account = await findAccountToRead(uow, ref);
  if (!account) return [];
  const assignments = await storedAssignments(uow, { accountId: account.id, catalog });
  const timeZone = account.timeZone ?? catalog.timeZone;
  return inSlices(messages([...(assignments?.values() ?? [])]));

  function* messages(states: readonly AssignmentState[]): Steps<Assignment[]> {
    const views: AssignmentView[] = [];
    for (const [index, state] of states.entries()) {
      if (index % STEP === STEP - 1) yield;
      const plan = catalog.rules.missions.get(state.missionId);
      if (!plan || isCountOfPeriods(plan, state.periodKey)) continue;
      const view = viewAssignment(plan, state, timeZone, now.getTime());
      if (chosen(view)) views.push(view);
    }
    const told: Assignment[] = [];
    for (const view of views.toSorted(order)) {
      told.push(create(AssignmentSchema, toAssignmentMessage(catalog, account!.id, view)));
      if (told.length % STEP === 0) yield;
    }
    return told;
  }
}

/** Assignments in one step. */
const STEP = 50;

type StoredOf = { readonly accountId: string; readonly catalog: ClientCatalog };

const storedAssignments = batchedLookUp(async (uow, asked: readonly StoredOf[]) => {
  const accountIds = asked.map(({ accountId }) => accountId);
  const byAccount = await loadAssignments(uow, asked[0]!.catalog.rules, { accountIds });
  return new Map(asked.map((one) => [one, byAccount.get(one.accountId)!]));
});

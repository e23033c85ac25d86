import type { AccountRef } from '../../accounts/resolving/account-ref.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import { create } from '@bufbuild/protobuf';
import { type Assignment, AssignmentSchema } from '../../../gen/laurel/v1/assignment_pb.ts';
import type { Account } from '../../accounts/account.ts';
import { isCountOfPeriods } from '../../engine/missions/mission-types.ts';
import { type AssignmentView, viewStored } from '../../engine/missions/view-mission.ts';
import { inTimeSlices, type Steps } from '../../kernel/concurrency/time-slices.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { batchedLookUp } from '../../persistence/batching/batched-look-up.ts';
import { toAssignmentMessage } from '../assignments/assignment-message.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';
import { type LoadedAccount, loadAccountContexts } from '../assignments/account-contexts.ts';

/**
 * The stored assignments of one account at `now`, as the feed shows them, filtered by `chosen`; empty for an unknown external id. The count
 * of a ROUTINE's periods is left out.
 * @param order the comparison of two items
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
  const context = await wholeAccount(uow, { account, catalog, now });
  return inTimeSlices(messages(context!));

  function* messages(context: LoadedAccount): Steps<Assignment[]> {
    const views: AssignmentView[] = [];
    let done = 0;
    for (const state of context.assignments.values()) {
      if ((done += 1) % ASSIGNMENTS_PER_STEP === 0) yield;
      const plan = catalog.rules.missions.get(state.missionId);
      if (!plan || isCountOfPeriods(plan, state.periodKey)) continue;
      const view = viewStored(plan, state, context, now.getTime());
      if (view && chosen(view)) views.push(view);
    }
    const shown: Assignment[] = [];
    for (const view of views.toSorted(order)) {
      shown.push(create(AssignmentSchema, toAssignmentMessage(catalog, context.accountId, view)));
      if (shown.length % ASSIGNMENTS_PER_STEP === 0) yield;
    }
    return shown;
  }
}

/** Assignments in one step. */
const ASSIGNMENTS_PER_STEP = 50;

type Whole = { readonly account: Account; readonly catalog: ClientCatalog; readonly now: Date };

/** An account with all its assignments. Concurrent requests share the statements. */
const wholeAccount = batchedLookUp(async (uow, asked: readonly Whole[]) => {
  const accounts = asked.map(({ account }) => account);
  const contexts = await loadAccountContexts(uow, asked[0]!.catalog, accounts, {}, asked[0]!.now);
  return new Map(asked.map((one) => [one, contexts.get(one.account.id)!]));
});

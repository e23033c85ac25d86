import type { AccountRef } from '../accounts/account-ref.ts';
import { findAccountToRead } from '../accounts/find-account-to-read.ts';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AssignmentSchema } from '../../gen/laurel/v1/assignment_pb.ts';
import { type AssignmentView, viewAssignment } from '../engine/view-mission.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { assignmentMessage } from './assignment-message.ts';
import { loadAssignments } from './assignments.queries.ts';
import type { ClientCatalog } from './catalog.ts';

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
): Promise<MessageInitShape<typeof AssignmentSchema>[]> {
  const account = await findAccountToRead(uow, ref);
  if (!account) return [];
  const byAccount = await loadAssignments(uow, catalog.rules, { accountIds: [account.id] });
  const timeZone = account.timeZone ?? catalog.timeZone;
  const views = [...(byAccount.get(account.id)?.values() ?? [])].flatMap((state) => {
    const plan = catalog.rules.missions.get(state.missionId);
    const isCount = plan?.type === 'ROUTINE' && state.periodKey === '';
    return plan && !isCount ? [viewAssignment(plan, state, timeZone, now.getTime())] : [];
  });
  return views
    .filter(chosen)
    .toSorted(order)
    .map((view) => assignmentMessage(catalog, account.id, view));
}

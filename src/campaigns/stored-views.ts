import type { AccountRef } from '../accounts/account-ref.ts';
import { findAccountToRead } from '../accounts/find-account-to-read.ts';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AssignmentSchema } from '../../gen/laurel/v1/assignment_pb.ts';
import { type AssignmentView, viewAssignment } from '../engine/view-mission.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { gathered } from '../persistence/gathered.ts';
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
  const assignments = await storedAssignments(uow, { accountId: account.id, catalog });
  const timeZone = account.timeZone ?? catalog.timeZone;
  const views = [...(assignments?.values() ?? [])].flatMap((state) => {
    const plan = catalog.rules.missions.get(state.missionId);
    const isCount = plan?.type === 'ROUTINE' && state.periodKey === '';
    return plan && !isCount ? [viewAssignment(plan, state, timeZone, now.getTime())] : [];
  });
  return views
    .filter(chosen)
    .toSorted(order)
    .map((view) => assignmentMessage(catalog, account.id, view));
}

type StoredOf = { readonly accountId: string; readonly catalog: ClientCatalog };

const storedAssignments = gathered(async (uow, asked: readonly StoredOf[]) => {
  const accountIds = asked.map(({ accountId }) => accountId);
  const byAccount = await loadAssignments(uow, asked[0]!.catalog.rules, { accountIds });
  return new Map(asked.map((one) => [one, byAccount.get(one.accountId)!]));
});

import type { AssignmentChoice } from '../../../../../../src/campaigns/assignments/assignments.queries.ts';
import type { UnitOfWork } from '../../../../../../src/persistence/database.ts';
import { driverRow, type Row, storeOf } from '../../../store.ts';

export async function rowsOf(uow: UnitOfWork, ids: readonly string[], choice: AssignmentChoice): Promise<Row[]> {
  const { missionsOf, periodKeys } = choice;
  const isChosen = ({ accountId, missionId, periodKey }: Row) =>
    ids.includes(accountId as string) &&
    (periodKeys === undefined || periodKeys.includes(periodKey as string)) &&
    (missionsOf === undefined || missionsOf.get(accountId as string)?.includes(missionId as string) === true);
  return storeOf(uow).rows('assignment').filter(isChosen).map(driverRow);
}

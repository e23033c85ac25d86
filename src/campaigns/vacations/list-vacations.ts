import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListVacationsRequest, ListVacationsResponseSchema } from '../../../gen/laurel/v1/vacation_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { dayAt } from '../../engine/time/calendar.ts';
import { calendarOfAccount } from '../assignments/account-contexts.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { toVacationsMessage } from './vacation-message.ts';
import { vacationsOf } from './vacations.queries.ts';

/** Lists the vacations of an account: proto VacationService.ListVacations. */
export function listVacations(
  { db, principal, now }: Call,
  request: ListVacationsRequest,
  catalogs: Catalogs,
): Promise<MessageInitShape<typeof ListVacationsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const catalog = await catalogs(uow);
    const { vacationDaysMax = 0 } = catalog.streakSettings;
    const account = await findAccountToRead(uow, request);
    const calendar = account === undefined ? catalog.calendar : calendarOfAccount(catalog, account);
    const vacations = account === undefined ? undefined : (await vacationsOf(uow, [account.id])).get(account.id);
    return toVacationsMessage(vacations ?? [], dayAt(calendar, now.getTime()), vacationDaysMax);
  });
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AnnounceVacationsRequest,
  AnnounceVacationsResponseSchema,
} from '../../../gen/laurel/v1/vacation_service_pb.ts';
import type { Vacation as Message } from '../../../gen/laurel/v1/vacation_pb.ts';
import { suspension } from '../../accounts/accounts-of-batch.ts';
import { requireAccount } from '../../accounts/resolving/resolve-accounts.ts';
import type { Call } from '../../clients/call.ts';
import { dayAt } from '../../engine/time/calendar.ts';
import {
  dateOfDay,
  dayOfDate,
  daysByYear,
  joinedVacations,
  splitVacations,
  type Vacation,
  withoutDays,
} from '../../engine/time/vacation.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { calendarOfAccount } from '../assignments/account-contexts.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { toVacationsMessage } from './vacation-message.ts';
import {
  deleteVacations,
  insertVacations,
  saveLastDays,
  type StoredVacation,
  vacationsOf,
} from './vacations.queries.ts';

/** How many days ahead a vacation may end. */
const DAYS_AHEAD = 731;

/** Replaces the vacation days of an account that have not begun: proto VacationService.AnnounceVacations. */
export function announceVacations(
  { db, principal, now }: Call,
  { accountId, idType, vacations }: AnnounceVacationsRequest,
  catalogs: Catalogs,
): Promise<MessageInitShape<typeof AnnounceVacationsResponseSchema>> {
  const sent = joinedVacations(vacations.map(vacationOf));
  return db.unitOfWork(principal.clientId, async (uow) => {
    const catalog = await catalogs(uow);
    const { vacationDaysMax = 0 } = catalog.streakSettings;
    const account = await requireAccount(uow, { accountId, idType }, 'change');
    const refusal = suspension(account);
    if (refusal) throw refusal;
    const today = dayAt(calendarOfAccount(catalog, account), now.getTime());
    const stored = (await vacationsOf(uow, [account.id])).get(account.id) ?? [];
    requireAnnounceable(sent, stored, today);
    const ahead = splitVacations(sent, today).ahead;
    const after = joinedVacations([...splitVacations(stored, today).begun, ...ahead]);
    requireRoom(joinedVacations(stored), after, vacationDaysMax);
    const { added, changed, removed } = changesOf(stored, ahead, today);
    await deleteVacations(uow, removed);
    await saveLastDays(uow, changed);
    await insertVacations(uow, account.id, added, now);
    return toVacationsMessage(after, today, vacationDaysMax);
  });
}

/** @throws DomainError `BAD_REQUEST` for dates that do not exist, or are in the wrong order */
function vacationOf({ since, until }: Message): Vacation {
  const [first, end] = [dayOf(since), dayOf(until)];
  if (first >= end) throw badRequest('A vacation ends after it begins: `until` is the first day after it.');
  return { first, last: end - 1 };
}

function dayOf(date: string): number {
  const day = dayOfDate(date);
  if (Number.isNaN(day) || dateOfDay(day) !== date)
    throw badRequest('`since` and `until` are dates of the calendar, such as 2026-07-01.');
  return day;
}

/** @throws DomainError `VACATION_DAYS_BEGUN`, `BAD_REQUEST` */
function requireAnnounceable(sent: readonly Vacation[], stored: readonly Vacation[], today: number): void {
  if (sent.some(({ last }) => last > today + DAYS_AHEAD))
    throw badRequest('A vacation ends within two years. Announce later days later.');
  const begun = splitVacations(stored, today).begun;
  const isStored = (day: number) => begun.some(({ first, last }) => first <= day && day <= last);
  for (const { first, last } of splitVacations(sent, today).begun)
    for (let day = Math.max(first, today - DAYS_AHEAD); day <= last; day += 1) if (!isStored(day)) throw tooLate(today);
}

function tooLate(today: number): DomainError {
  return new DomainError(
    'VACATION_DAYS_BEGUN',
    sentence`For the account the first possible day is ${dateOfDay(today + 1)}. A day that has begun cannot become a vacation.`,
  );
}

/** A year may have too many days, by a merge or an earlier setting; then only no day is added. @throws DomainError `TOO_MANY_VACATION_DAYS` */
function requireRoom(before: readonly Vacation[], after: readonly Vacation[], daysMax: number): void {
  const added = daysByYear(withoutDays(after, before));
  for (const [year, days] of daysByYear(after))
    if (days > daysMax && added.has(year))
      throw new DomainError(
        'TOO_MANY_VACATION_DAYS',
        sentence`The account would have ${days} days of vacation in ${year}, of at most ${daysMax}. Announce fewer days of that year.`,
      );
}

/** The rows to write, so that the days ahead become the announced ones. Rows of days that have begun stay, up to today or longer. */
function changesOf(stored: readonly StoredVacation[], ahead: readonly Vacation[], today: number) {
  const isSame = (one: Vacation, other: Vacation) => one.first === other.first && one.last === other.last;
  const [running, later] = [stored.filter(({ first }) => first <= today), stored.filter(({ first }) => first > today)];
  const next = ahead.find(({ first }) => first === today + 1);
  const longest = next && running.find(({ last }) => last >= today);
  const changed = running.flatMap((row): StoredVacation[] => {
    const last = row === longest ? next!.last : Math.min(row.last, today);
    return last === row.last ? [] : [{ ...row, last }];
  });
  const open = longest === undefined ? ahead : ahead.filter((each) => each !== next);
  return {
    changed,
    removed: later.filter((row) => !open.some((each) => isSame(each, row))).map(({ id }) => id),
    added: open.filter((each) => !later.some((row) => isSame(each, row))),
  };
}

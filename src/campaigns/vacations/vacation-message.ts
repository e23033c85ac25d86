import type { MessageInitShape } from '@bufbuild/protobuf';
import type { VacationSchema } from '../../../gen/laurel/v1/vacation_pb.ts';
import { periodOfDay } from '../../engine/time/period.ts';
import { dateOfDay, daysByYear, joinedVacations, type Vacation } from '../../engine/time/vacation.ts';

/** A vacation as the API shows it. */
export function toVacationMessage({ first, last }: Vacation): MessageInitShape<typeof VacationSchema> {
  return { since: dateOfDay(first), until: dateOfDay(last + 1) };
}

/** The fields of an answer about the vacations of an account. */
export type ShownVacations = {
  readonly rows: MessageInitShape<typeof VacationSchema>[];
  readonly daysMax: number;
  readonly daysLeft: number;
  readonly today: string;
};

/** The vacations of an account on a day, as the API shows them. @param daysMax the most days of a year */
export function toVacationsMessage(vacations: readonly Vacation[], today: number, daysMax: number): ShownVacations {
  const joined = joinedVacations(vacations);
  const yearOf = (day: number) => 1970 + periodOfDay('YEAR', day);
  const announced = daysByYear(joined).get(yearOf(today)) ?? 0;
  return {
    rows: joined.filter(({ last }) => yearOf(last) >= yearOf(today)).map(toVacationMessage),
    daysMax,
    daysLeft: Math.max(0, daysMax - announced),
    today: dateOfDay(today),
  };
}

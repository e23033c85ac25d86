import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type MissionConditions,
  MissionConditions_Day,
  MissionConditions_DaySchema,
  type MissionConditionsSchema,
} from '../../../gen/laurel/v1/mission_pb.ts';
import { amountFromDecimal, amountFromNumber, amountToDecimal, amountToNumber } from '../../kernel/amount.ts';
import { enumName, type EnumName } from '../../kernel/enum-names.ts';

/**
 * What an event must meet to count for a mission, as the column `mission.conditions` stores it. Amounts are decimal text,
 * because JSON numbers are not exact.
 */
export type Conditions = {
  readonly minAmount?: string;
  readonly maxAmount?: string;
  readonly maxPerPeriod?: string;
  readonly daysOfWeek?: readonly EnumName<typeof MissionConditions_DaySchema>[];
  /** `HH:MM`; always together with `timeTo`. */
  readonly timeFrom?: string;
  readonly timeTo?: string;
  readonly prerequisiteMissionIds?: readonly string[];
};

/**
 * The stored form of conditions.
 * @throws DomainError `BAD_REQUEST` for an amount with more than four decimals
 */
export function storedConditions(conditions: MissionConditions, field: string): Conditions {
  const decimal = (value: number | undefined, name: string) =>
    value === undefined ? undefined : amountToDecimal(amountFromNumber(value, `${field}.${name}`));
  const { daysOfWeek, prerequisiteMissionIds } = conditions;
  return {
    minAmount: decimal(conditions.minAmount, 'minAmount'),
    maxAmount: decimal(conditions.maxAmount, 'maxAmount'),
    maxPerPeriod: decimal(conditions.maxPerPeriod, 'maxPerPeriod'),
    daysOfWeek:
      daysOfWeek.length > 0 ? daysOfWeek.map((day) => enumName(MissionConditions_DaySchema, day)!) : undefined,
    timeFrom: conditions.timeFrom,
    timeTo: conditions.timeTo,
    prerequisiteMissionIds:
      prerequisiteMissionIds.length > 0 ? prerequisiteMissionIds.map((id) => id.toLowerCase()) : undefined,
  };
}

/** The message of stored conditions. */
export function toConditionsMessage(stored: Conditions): MessageInitShape<typeof MissionConditionsSchema> {
  const number = (decimal: string | undefined) =>
    decimal === undefined ? undefined : amountToNumber(amountFromDecimal(decimal));
  return {
    minAmount: number(stored.minAmount),
    maxAmount: number(stored.maxAmount),
    maxPerPeriod: number(stored.maxPerPeriod),
    daysOfWeek: stored.daysOfWeek?.map((day) => MissionConditions_Day[day]),
    timeFrom: stored.timeFrom,
    timeTo: stored.timeTo,
    prerequisiteMissionIds: stored.prerequisiteMissionIds && [...stored.prerequisiteMissionIds],
  };
}

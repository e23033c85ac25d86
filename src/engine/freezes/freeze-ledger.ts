import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { PeriodRange } from '../time/calendar.ts';
import type { PeriodNumber } from '../time/period.ts';

/** Freezes that an account got or lost at a time. */
export type FreezeMove = {
  readonly at: Timestamp;
  /** Above 0 for those that it got. */
  readonly count: number;
  /** The milestone of a mission that gave them, or whose loss took them. Undefined for another cause. */
  readonly milestone?: { readonly missionId: string; readonly length: number } | undefined;
};

/** A missed period of a streak that a freeze bridges. */
export type FreezeUse = {
  readonly missionId: string;
  readonly period: PeriodNumber;
  /** The end of the period: the freeze is used then. */
  readonly at: Timestamp;
};

/** The stored freezes of an account. */
export type FreezeLedger = { readonly moves: readonly FreezeMove[]; readonly uses: readonly FreezeUse[] };

/** The freezes of an account at an instant. */
export type Freezes = {
  /** The number that the account owns. */
  readonly owned: number;
  /** The uses up to now, in the order of their times. */
  readonly uses: readonly FreezeUse[];
  /** The bridged periods by the id of the mission, with those that will be bridged if no streak gets another event. */
  readonly periods: ReadonlyMap<string, readonly PeriodRange[]>;
};

/** The freezes of an account, which change with its assignments. */
export type AccountFreezes = {
  readonly ledger: FreezeLedger;
  /** As of the last decision; replaced after a change of the assignments. */
  present: Freezes;
};

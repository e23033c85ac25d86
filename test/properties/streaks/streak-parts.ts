/** A streak of the model. Its events have separate codes. */
export type StreakRule = {
  readonly id: string;
  readonly code: string;
  readonly period: 'DAY' | 'WEEK';
  readonly goal: number;
  readonly gracePeriods: number;
  readonly position: number;
  /** Undefined for a streak without an end. */
  readonly target: number | undefined;
  readonly milestones: readonly { readonly length: number; readonly points: number; readonly freezes: number }[];
};

/** A part of a period's sum. Periods are named by their first days. */
export type Part = { readonly period: string; amount: number };

/** An event, and what is left of it. */
export type Deed = { readonly rule: StreakRule; readonly at: number; left: number; part: Part | undefined };

/** The run at the beginning of a period, before which nothing changes any more. */
export type Base = {
  readonly from: string;
  readonly current: number;
  readonly longest: number;
  readonly graceLeft: number;
};

export type Streak = {
  /** Whether an event has counted, or a run was restored. */
  hasBegun: boolean;
  base: Base | undefined;
  parts: Part[];
  completedAt: number | undefined;
  /** The longest milestone that was reached and not lost. */
  milestone: number;
  /** How often each milestone was paid; more than once if merged accounts had both got it. */
  paid: Map<number, number>;
};

export type Gift = { readonly at: number; readonly count: number; readonly milestone?: string };
export type Use = { readonly rule: StreakRule; readonly period: string; readonly at: number };
export type Run = { readonly current: number; readonly longest: number; readonly graceLeft: number };

/** The most freezes that an account keeps. */
export const MOST = 3;

/** The sums of both by period: added up, or the larger one. */
export function joinedParts(one: readonly Part[], other: readonly Part[], how: 'MAX' | 'SUM'): Part[] {
  const parts = [...one, ...other];
  if (how === 'SUM') return parts;
  const sum = (all: readonly Part[], period: string) =>
    all.reduce((total, part) => total + (part.period === period ? part.amount : 0), 0);
  for (const period of new Set(one.map((part) => part.period))) {
    const less = Math.min(sum(one, period), sum(other, period));
    if (less > 0) parts.push({ period, amount: -less });
  }
  return parts;
}

import type { UnitOfWork } from '../persistence/database.ts';

/** The counted activities, named like the columns of an hour. */
export const ACTIVITIES = [
  'eventsApplied',
  'missionsCompleted',
  'campaignsCompleted',
  'rewardsDelivered',
  'webhooksDelivered',
  'webhooksFailed',
  'callsRefused',
] as const;

/** One counted activity. */
export type Activity = (typeof ACTIVITIES)[number];

/** The number of times of each activity. */
export type ActivityCounts = Partial<Record<Activity, number>>;

/** The counts of each unit of work. A WeakMap, so that counts of a rollback are dropped. */
const happened = new WeakMap<UnitOfWork, ActivityCounts>();

/** Counts activities of a unit of work: a few additions in memory, without a statement. They count if the unit commits. */
export function countActivity(uow: UnitOfWork, more: ActivityCounts): void {
  const before = happened.get(uow);
  happened.set(uow, before === undefined ? more : sum(before, more));
}

/** The counts of a unit of work; undefined without any. */
export function activityIn(uow: UnitOfWork): ActivityCounts | undefined {
  return happened.get(uow);
}

/** The sum of both counts. */
export function sum(one: ActivityCounts, other: ActivityCounts): ActivityCounts {
  return Object.fromEntries(ACTIVITIES.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

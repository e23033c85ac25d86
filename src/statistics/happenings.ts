import type { UnitOfWork } from '../persistence/database.ts';

/** What is counted, as the columns of an hour are named. */
export const HAPPENINGS = [
  'eventsApplied',
  'missionsCompleted',
  'campaignsCompleted',
  'rewardsDelivered',
  'webhooksDelivered',
  'webhooksFailed',
] as const;

/** One of them. */
export type Happening = (typeof HAPPENINGS)[number];

/** How often each has happened. */
export type Happenings = Partial<Record<Happening, number>>;

/** What has happened in each unit of work. Weak, so that what is rolled back is forgotten with it. */
const happened = new WeakMap<UnitOfWork, Happenings>();

/** Notes what happens in a unit of work: no statement, a few additions in memory. It counts if the unit commits. */
export function countHappenings(uow: UnitOfWork, more: Happenings): void {
  const before = happened.get(uow);
  happened.set(uow, before === undefined ? more : sum(before, more));
}

/** What has happened in a unit of work; undefined for nothing. */
export function happenedIn(uow: UnitOfWork): Happenings | undefined {
  return happened.get(uow);
}

/** Both together. */
export function sum(one: Happenings, other: Happenings): Happenings {
  return Object.fromEntries(HAPPENINGS.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

import type { AttributeValues } from '../attributes/attribute-values.ts';
import type { Assignments } from './assignment.ts';
import type { AccountFreezes } from './freezes/freeze-ledger.ts';
import type { AccountLevels } from './levels/account-levels.ts';
import type { StatisticValues } from './statistics/statistic-values.ts';
import type { Calendar } from './time/calendar.ts';
import type { Interval } from './time/interval.ts';
import type { Vacation } from './time/vacation.ts';
import type { Timestamp } from '../kernel/time/timestamp.ts';

/** The data of an account that the rules need. */
export type AccountContext = {
  readonly accountId: string;
  readonly createdAt: Timestamp;
  /** The attributes of the account at the time of application, however long the event has waited. */
  readonly attributes: AttributeValues;
  /** The calendar of the account's own time zone, otherwise the client's. */
  readonly calendar: Calendar;
  /** Every audience of the account, with the time of joining; minus infinity for kinds EVERYONE and RULE. */
  readonly audiences: ReadonlyMap<string, Timestamp>;
  /**
   * The names of its MANUAL and EVERYONE audiences, each once, for expressions. Empty if no expression of the client uses them: then
   * memberships need not be read.
   */
  readonly audienceNames: readonly string[];
  /** Its statistics, as far as expressions of the client read them. */
  readonly statistics: StatisticValues;
  /** Its levels; without tracks if the client has none, or the caller needs none. */
  readonly levels: AccountLevels;
  /** The ids in `audiences` of kind RULE, whose expressions hold now; nobody knows since when. */
  readonly audiencesByRule: ReadonlySet<string>;
  /**
   * Past memberships: an event that occurred during one counts. Loaded only for late events, so it may be missing; views never depend on
   * it.
   */
  readonly formerAudiences?: ReadonlyMap<string, readonly Interval[]> | undefined;
  /** Its freezes of streaks; undefined for an account that never had any, and for a client without them. */
  readonly freezes?: AccountFreezes | undefined;
  /** Its announced vacations, also those that are over; undefined for a client without vacations. */
  readonly vacations?: readonly Vacation[] | undefined;
  /** The assignments that the current plan may read: see `Candidates.missionIds` and `periodKeysAt`. */
  readonly assignments: Assignments;
};

/** The parts of an account on which its periods depend. */
export type PeriodsOfAccount = Pick<AccountContext, 'calendar' | 'freezes' | 'vacations'>;

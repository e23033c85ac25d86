import type { UnitOfWork } from '../persistence/database.ts';
import { ACTIVITIES, type Activity, type ActivityCounts } from './activity-counts.ts';

/** The counts of one client in one hour. */
export type HourCount = { readonly clientId: string; readonly hour: Date; readonly happened: ActivityCounts };

/** Adds counts to the hours, in a system unit of work; in the order of the key, so that processes never deadlock. */
export async function addToHours(uow: UnitOfWork, counts: readonly HourCount[]): Promise<void> {
  const of = (name: Activity) => counts.map(({ happened }) => happened[name] ?? 0);
  await uow.query(
    `insert into statistic_hour as s (client_id, hour, events_applied, missions_completed, campaigns_completed,
                                      rewards_delivered, webhooks_delivered, webhooks_failed, calls_refused)
     select * from unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[],
                            $9::int[])
      order by 1, 2
     on conflict (client_id, hour) do update
        set events_applied = s.events_applied + excluded.events_applied,
            missions_completed = s.missions_completed + excluded.missions_completed,
            campaigns_completed = s.campaigns_completed + excluded.campaigns_completed,
            rewards_delivered = s.rewards_delivered + excluded.rewards_delivered,
            webhooks_delivered = s.webhooks_delivered + excluded.webhooks_delivered,
            webhooks_failed = s.webhooks_failed + excluded.webhooks_failed,
            calls_refused = s.calls_refused + excluded.calls_refused`,
    [
      counts.map(({ clientId }) => clientId),
      counts.map(({ hour }) => hour),
      of('eventsApplied'),
      of('missionsCompleted'),
      of('campaignsCompleted'),
      of('rewardsDelivered'),
      of('webhooksDelivered'),
      of('webhooksFailed'),
      of('callsRefused'),
    ],
  );
}

/** A period of time with its counts. */
export type Bucket = Readonly<Record<Activity, number>> & { readonly start: Date };

/** The selection of buckets, in the calendar of a zone: from the one that contains `from` to the last one that begins before `to`. */
export type BucketQuery = {
  readonly from: Date;
  readonly to: Date;
  readonly unit: 'hour' | 'day';
  readonly timeZone: string;
};

/**
 * Keeps the sub-query separate, so that its times are columns for the outer query. Otherwise PostgreSQL 15 moves `at
 * time zone`, which is not leakproof, into the condition, and reads every hour of the client to check the policy first.
 */
const COMPUTED_FIRST = 'offset 0';

/**
 * The sums of the same number of earlier buckets, in the calendar of the zone. The current hour is compared with the same part of the
 * earlier hour.
 * @param count the number of buckets of the compared period
 */
export async function readFormer(
  uow: UnitOfWork,
  { from, to, unit, timeZone, count }: BucketQuery & { readonly count: number },
): Promise<Bucket> {
  const sums = ACTIVITIES.map(
    (name) => `round(coalesce(sum(s.${snakeCase(name)} * passed), 0))::float8 as "${name}"`,
  ).join(', ');
  const [row] = await uow.query<Bucket>(
    `select b.start, ${sums}
       from (
         select (date_trunc($4, $2::timestamptz at time zone $5) - former) at time zone $5 as start,
                ($3::timestamptz at time zone $5 - former) at time zone $5 as end
           from (select $6 * ('1 ' || $4)::interval as former) f
         ${COMPUTED_FIRST}
       ) b
       left join lateral (
         select *, least(1, extract(epoch from b.end - hour) / 3600) as passed
           from statistic_hour where client_id = $1 and hour >= b.start and hour < b.end
       ) s on true
      group by b.start`,
    [uow.clientId, from, to, unit, timeZone, count],
  );
  return row!;
}

function snakeCase(name: Activity): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The buckets without a gap, first to last. Reads one row for each hour with activity, by the key of each bucket's
 * hours: PostgreSQL does not know the number of buckets and would otherwise scan all hours for each.
 */
export async function readBuckets(uow: UnitOfWork, { from, to, unit, timeZone }: BucketQuery): Promise<Bucket[]> {
  const sums = ACTIVITIES.map((name) => `coalesce(sum(${snakeCase(name)}), 0)::float8 as "${name}"`).join(', ');
  return uow.query<Bucket>(
    `select b.start, s.*
       from (
         select local at time zone $5 as start, (local + ('1 ' || $4)::interval) at time zone $5 as next
           from generate_series(date_trunc($4, $2::timestamptz at time zone $5),
                                $3::timestamptz at time zone $5 - interval '1 millisecond', ('1 ' || $4)::interval) as local
         ${COMPUTED_FIRST}
       ) b
      cross join lateral (
        select ${sums} from statistic_hour where client_id = $1 and hour >= b.start and hour < b.next
      ) s
      order by b.start`,
    [uow.clientId, from, to, unit, timeZone],
  );
}

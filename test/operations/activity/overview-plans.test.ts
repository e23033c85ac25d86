import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBuckets } from '../../../src/activity/statistic-hours.queries.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
const HOURS = 9_600;

/** Hours of 400 days, not analysed. */
beforeAll(async () => {
  service = await startService();
  await service.db.systemUnitOfWork((uow) =>
    uow.query(
      `insert into statistic_hour (client_id, hour, events_applied, missions_completed)
       select $1::uuid, date_trunc('hour', now()) - ago * interval '1 hour', 2, 1 from generate_series(0, $2::int - 1) as ago`,
      [service.clientId, HOURS],
    ),
  );
}, 60_000);
afterAll(() => service.close());

type Plan = {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Plan[];
};
const rowsOf = (plan: Plan): number =>
  plan['Actual Rows'] * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);

test('a year by day looks at each hour of it, and not at all hours for each day', async () => {
  const to = new Date();
  const query = {
    from: new Date(to.getTime() - 365 * 86_400_000),
    to,
    unit: 'day' as const,
    timeZone: 'America/Bogota',
  };
  await service.db.unitOfWork(service.clientId, async (uow) => {
    let looked = 0;
    const explaining = new Proxy(uow, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name);
        return async (sql: string, values: unknown[]) => {
          const [row] = await target.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
            `explain (analyze, timing off, format json) ${sql}`,
            values,
          );
          looked += rowsOf(row!['QUERY PLAN'][0].Plan);
          return target.query(sql, values);
        };
      },
    });
    const buckets = await readBuckets(explaining, query);
    expect(buckets).toHaveLength(366);
    expect(buckets[100]).toMatchObject({ eventsApplied: 48, missionsCompleted: 24, webhooksFailed: 0 });
    expect(looked).toBeGreaterThan(365 * 24);
    expect(looked).toBeLessThan(5 * HOURS);
  });
});

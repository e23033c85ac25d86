import { entities } from '../../src/app/entities.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import { writeLargeCatalogue } from '../../test/support/large-catalogue.ts';
import type { Benchmark, Result, Settings } from '../benchmark.ts';
import { whole } from '../report.ts';
import { inTurns } from '../support/in-turns.ts';
import { withPeakMemory } from '../support/process-metrics.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { median, quantile } from '../support/statistics.ts';
import { createTenant } from '../support/tenant.ts';
import { withWorkbench } from '../support/workbench.ts';
import { callerOf, paced, setUpOther } from './callers.ts';
import { flood } from './flood.ts';

/** The milliseconds guaranteed for 99 of 100 events of another client. */
const PROMISED = 100;

/** Missions of one campaign: the maximum. */
const MISSIONS_PER_CAMPAIGN = 50;

/** The numbers of campaigns, whose missions all count one code. */
const CATALOGUES = { existing: 100, limit: 10 } as const;

export default Object.entries(CATALOGUES).map(([name, campaigns]): Benchmark => ({
  name: `catalogue:${name}`,
  about:
    `Milliseconds to the answer to another client's event, p99, beside a client with ${campaigns * MISSIONS_PER_CAMPAIGN} ` +
    `missions on one code that sends without a pause, against ${PROMISED}.`,
  aim: 1,
  lessIsBetter: true,
  run: (settings) => measure(campaigns, settings),
}));

function measure(campaigns: number, settings: Settings): Promise<Result> {
  return withWorkbench('catalogue', async (workbench) => {
    const { databaseUrl } = workbench;
    await migrate(databaseUrl);
    const db = await openDatabase({ url: databaseUrl, entities, poolMax: 2 });
    workbench.cleanUps.push(() => db.close());
    const { baseUrl } = await startServiceProcess(workbench, { name: 'service', databaseUrl });
    const tenant = await createTenant(db);
    const [large, other] = [callerOf(baseUrl, tenant), callerOf(baseUrl, await createTenant(db))];
    const definition = { programmaticCode: 'LOGIN', type: 'SINGLE' };
    await large.call('/admin/event-definitions', definition);
    const shape = { campaigns, missionsPerCampaign: MISSIONS_PER_CAMPAIGN, programmaticCode: 'LOGIN' };
    await writeLargeCatalogue(db, large.clientId, shape);
    await setUpOther(other);
    await paced(other, 2);
    let applied = 0;
    const { result: turns, peak } = await withPeakMemory(baseUrl, () =>
      inTurns(
        settings,
        (seconds) => paced(other, seconds),
        async (seconds) => {
          const loud = flood(baseUrl, tenant.apiKey);
          const delays = await paced(other, seconds);
          applied += await loud.stop();
          return delays;
        },
      ),
    );
    const p99 = (delays: readonly number[]) =>
      quantile(
        delays.toSorted((a, b) => a - b),
        0.99,
      );
    return {
      unit: 'ms',
      ours: median(turns.ours.map(p99)),
      reference: PROMISED,
      details: {
        'p99 alone': `${whole(median(turns.reference.map(p99)))} ms`,
        'slowest of all': `${whole(Math.max(...turns.ours.flat()))} ms`,
        'service, peak memory': `${whole(peak / 2 ** 20)} MiB`,
        'the large client': `${whole(applied / (settings.rounds * settings.seconds))} events a second`,
      },
    };
  });
}

import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { migratedDatabase } from '../support/migrated-database.ts';
import { startLoad } from '../support/load.ts';
import type { LoadReport, LoadTask } from '../support/load-protocol.ts';
import { processMetrics } from '../support/process-metrics.ts';
import { type RestCall, restCalls } from '../support/rest-calls.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { createTenant } from '../support/tenant.ts';
import type { Workbench } from '../support/workbench.ts';
import { populate } from './population.ts';
import { EVENT_CODES, type GrowthOptions } from './trigger-requests.ts';

/** The service on a database with a number of accounts. */
export type World = {
  readonly databaseUrl: string;
  readonly clientId: string;
  readonly accountCount: number;
  /** Calls of a client's administrator, and of an integrator. */
  readonly admin: RestCall;
  readonly call: RestCall;
  /** MANUAL audiences: one of a thousand accounts, and one of all. */
  readonly audiences: { readonly few: string; readonly all: string };
  /** Seconds to fill the tables. */
  readonly populatedIn: number;
  /** Measures events. */
  measure(task: LoadTask): Promise<Measured>;
  /** Measures requests of another kind, by the module that writes them and its further options. */
  load(source: string, options: object): Promise<(task: LoadTask) => Promise<Measured>>;
  /**
   * @throws Error unless every answered event is in the database exactly once
   */
  verify(): Promise<void>;
};

/** The measurement, with the processor time of the service in microseconds per request. */
export type Measured = LoadReport & { readonly serviceMicros: number };

/** Members of the small audience. */
export const FEW = 1_000;

/** Events that complete a mission; no account reaches it, so that every event does the same work. */
const TARGET = 1_000_000;

/** Milliseconds: one statement inserts 100,000 rows, another one counts millions. */
const STATEMENT_TIMEOUT = 300_000;

/** Creates a database with `accountCount` accounts and starts the service on it. */
export async function createWorld(workbench: Workbench, name: string, accountCount: number): Promise<World> {
  const databaseUrl = await migratedDatabase(workbench.databaseUrl, name);
  const options = { url: databaseUrl, entities, poolMax: 4, statementTimeoutMs: STATEMENT_TIMEOUT };
  const db = await openDatabase(options);
  workbench.cleanUps.push(() => db.close());
  const { clientId, apiKey, adminToken } = await createTenant(db);
  const { baseUrl, port } = await startServiceProcess(workbench, { name, databaseUrl });
  const admin = restCalls(baseUrl, adminToken);
  const { audiences, ...game } = await setUpGame(admin);
  const begun = performance.now();
  const members = new Map([
    [audiences.few, FEW],
    [audiences.all, accountCount],
  ]);
  await populate(db, databaseUrl, { clientId, accountCount, members, ...game });
  const populatedIn = (performance.now() - begun) / 1_000;

  const load = async (source: string, more: object) => {
    const sourceOptions: GrowthOptions = { apiKey, accountCount, ...more };
    const { run, stop } = await startLoad({ host: '127.0.0.1', port, source, sourceOptions });
    workbench.cleanUps.push(stop);
    return async (task: LoadTask): Promise<Measured> => {
      const before = await processMetrics(baseUrl);
      const report = await run(task);
      const after = await processMetrics(baseUrl);
      const seconds = after.processorSeconds - before.processorSeconds;
      return { ...report, serviceMicros: (seconds * 1e6) / report.answered };
    };
  };
  const sendEvents = await load(import.meta.resolve('./trigger-requests.ts'), {});
  let answered = 0;
  return {
    databaseUrl,
    clientId,
    accountCount,
    admin,
    call: restCalls(baseUrl, apiKey),
    audiences,
    populatedIn,
    load,
    async measure(task) {
      const report = await sendEvents(task);
      answered += report.answered;
      return report;
    },
    verify: () => verifyEvents(db, name, answered),
  };
}

/** Creates one active campaign for everyone, with a mission for each code, and audiences for later campaigns. */
async function setUpGame(admin: RestCall) {
  for (const programmaticCode of EVENT_CODES) {
    await admin('POST', '/admin/event-definitions', { programmaticCode, type: 'SINGLE' });
  }
  const everyone = await admin('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const few = await admin('POST', '/admin/audiences', { name: 'A few', kind: 'MANUAL' });
  const all = await admin('POST', '/admin/audiences', { name: 'All, one by one', kind: 'MANUAL' });
  const reward = await admin('POST', '/admin/rewards', { name: '50 points', type: 'POINTS', amount: 50 });
  const campaign = await admin('POST', '/admin/campaigns', {
    name: 'Come back',
    audienceIds: [everyone.id],
    rewardIds: [reward.id],
    missions: EVENT_CODES.map((programmaticCode) => ({
      type: 'MISSION',
      name: `Do ${programmaticCode} often`,
      programmaticCode,
      target: TARGET,
    })),
  });
  await admin('POST', `/admin/campaigns/${campaign.id}/activate`);
  return {
    missionIds: campaign.missions.map(({ id }) => id),
    campaignId: campaign.id,
    rewardId: reward.id,
    audiences: { few: few.id, all: all.id },
  };
}

async function verifyEvents(db: Database, name: string, answered: number): Promise<void> {
  const [row] = await db.systemUnitOfWork((uow) =>
    uow.query<{ progress: string; operations: string }>(
      'select (select sum(progress) from assignment) as progress, (select count(*) from operation) as operations',
    ),
  );
  if (Number(row?.progress) === answered && Number(row?.operations) === answered) return;
  throw new Error(`Of ${answered} events answered in the ${name} world the database has ${JSON.stringify(row)}.`);
}

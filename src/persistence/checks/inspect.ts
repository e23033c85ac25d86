import pg from 'pg';
import type { Check, Finding, Inspection } from './check.ts';
import { unreachable } from './unreachable.ts';

/** What became of one check. */
export type Verdict = {
  readonly name: string;
  /** What was seen, or why nothing was looked at. */
  readonly seen: string;
  readonly findings: readonly Finding[];
  /** Made; not made because of what others found; or begun and cut off, so that it says nothing about the database. */
  readonly outcome: 'made' | 'skipped' | 'failed';
};

/** Milliseconds for the connection, and for each question. */
const PATIENCE = 5_000;

/**
 * Makes every check on the database at `url`, one after the other, on a connection of its own. Never fails: what cannot be
 * reached is a finding.
 */
export async function inspect(url: string, checks: readonly Check[]): Promise<Verdict[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'laurel checks',
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
  });
  // The question that runs fails by itself; unheard, the event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const reached: Verdict = { ...unreachable(url, error), name: 'connection', outcome: 'made' };
    return [reached, ...checks.map((check) => skipped(check, 'the database cannot be reached'))];
  }
  try {
    return await makeAll(inspectionOn(client), checks);
  } finally {
    // A server that has gone silent does not answer a farewell either.
    await Promise.race([client.end().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
  }
}

/** Whether something keeps the service from its work: at its start, or while it runs. */
export function faultsOf(verdicts: readonly Verdict[], when: 'start' | 'running'): Finding[] {
  const severities: Finding['severity'][] = when === 'start' ? ['fault', 'fault at start'] : ['fault'];
  return verdicts.flatMap(({ findings }) => findings.filter(({ severity }) => severities.includes(severity)));
}

async function makeAll(inspection: Inspection, checks: readonly Check[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const check of checks) {
    const cause = verdicts.find(({ name, findings }) => check.after?.includes(name) && faultOf(findings));
    verdicts.push(cause ? skipped(check, `'${cause.name}' has to be put right first`) : await make(check, inspection));
  }
  return verdicts;
}

function faultOf(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'fault');
}

function skipped({ name }: Check, reason: string): Verdict {
  return { name, seen: `Not looked at: ${reason}.`, findings: [], outcome: 'skipped' };
}

async function make(check: Check, inspection: Inspection): Promise<Verdict> {
  try {
    return { name: check.name, outcome: 'made', ...(await check.run(inspection)) };
  } catch (error) {
    const problem = `The check '${check.name}' could not be made: ${(error as Error).message}.`;
    const remedy = 'Look into the log of PostgreSQL, and run `npm run laurel -- doctor` again.';
    return { name: check.name, outcome: 'failed', seen: '', findings: [{ severity: 'fault', problem, remedy }] };
  }
}

function inspectionOn(client: pg.Client): Inspection {
  const query = async <Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(sql, [...values])).rows;
  return {
    query,
    async asSystem(sql) {
      await client.query('begin read only');
      try {
        await client.query('set local role laurel_system');
        return await query(sql);
      } finally {
        await client.query('rollback').catch(() => {});
      }
    },
  };
}

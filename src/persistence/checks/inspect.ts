import { PINNED_LOCALLY } from '../connections/pinned-settings.ts';
import { connectClient, isUnanswered } from '../driver/driver.ts';
import type { Check, Finding, Inspection } from './check.ts';
import { unreachable } from './unreachable.ts';

/** The outcome of one check. */
export type Verdict = {
  readonly name: string;
  /** The result, or the reason for skipping it. */
  readonly seen: string;
  readonly findings: readonly Finding[];
  /** Whether it was made, skipped because of an earlier finding, or interrupted, so that it has no result. */
  readonly outcome: 'made' | 'skipped' | 'failed';
};

/** Milliseconds for the connection, and for each query. */
const TIMEOUT_MS = 5_000;

/** A separate connection for the queries. */
type Line = {
  readonly inspection: Inspection;
  /** Whether it is lost or waits for an answer, and cannot be used any more. */
  readonly isDead: boolean;
  close(): Promise<void>;
};

/**
 * Runs every check on the database at `url`, one after the other, on a separate connection. If the connection goes
 * silent, the check is repeated once on another: behind a pooler the first may lead to a lost server. It never fails:
 * an unreachable database is a finding.
 */
export async function inspect(url: string, checks: readonly Check[]): Promise<Verdict[]> {
  try {
    return await makeAll(url, await openLine(url), checks);
  } catch (error) {
    const reached: Verdict = { ...unreachable(url, error), name: 'connection', outcome: 'made' };
    return [reached, ...checks.map((check) => skipped(check, 'the database cannot be reached'))];
  }
}

async function openLine(url: string): Promise<Line> {
  let isDead = false;
  const onLost = () => void (isDead = true);
  const client = await connectClient({
    url,
    name: 'laurel checks',
    connectMs: TIMEOUT_MS,
    answerMs: TIMEOUT_MS,
    onLost,
  });
  const markDead = (error: unknown): never => {
    isDead ||= isUnanswered(error);
    throw error;
  };
  return {
    inspection: inspectionOn((sql, values) => client.query(sql, values).catch(markDead)),
    get isDead() {
      return isDead;
    },
    close: () => client.end(),
  };
}

/** The findings that stop the service, at its start or during operation. */
export function faultsOf(verdicts: readonly Verdict[], when: 'start' | 'running'): Finding[] {
  const severities: Finding['severity'][] = when === 'start' ? ['fault', 'fault at start'] : ['fault'];
  return verdicts.flatMap(({ findings }) => findings.filter(({ severity }) => severities.includes(severity)));
}

async function makeAll(url: string, first: Line, checks: readonly Check[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  let line = first;
  try {
    for (const check of checks) {
      const cause = verdicts.find(({ name, findings }) => check.after?.includes(name) && faultOf(findings));
      if (cause || line.isDead) {
        const reason = cause ? `'${cause.name}' has to be put right first` : 'the database does not answer';
        verdicts.push(skipped(check, reason));
        continue;
      }
      let verdict = await make(check, line.inspection);
      if (line.isDead) {
        await line.close();
        const another = await openLine(url).catch(() => undefined);
        if (another) verdict = await make(check, another.inspection);
        line = another ?? line;
      }
      verdicts.push(verdict);
    }
  } finally {
    await line.close();
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

type Ask = (sql: string, values?: unknown[]) => Promise<{ readonly rows: object[] }>;

function inspectionOn(ask: Ask): Inspection {
  const query = async <Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await ask(sql, [...values])).rows as Row[];
  return {
    query,
    async asSystem(sql) {
      await ask('begin read only');
      try {
        await ask(`select ${PINNED_LOCALLY}`);
        await ask('set local role laurel_system');
        return await query(sql);
      } finally {
        await ask('rollback').catch(() => {});
      }
    },
  };
}

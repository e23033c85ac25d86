import { join } from 'node:path';
import type { Config } from '../../app/config.ts';
import type { Finding } from '../../persistence/checks/check.ts';
import { backlogs } from '../../app/backlogs.ts';
import { backlogCheck } from '../../persistence/checks/backlog.check.ts';
import { clockDoubtCheck } from '../../housekeeping/clock/clock-doubt.check.ts';
import { clockCheck } from '../../persistence/checks/clock.check.ts';
import { faultsOf, inspect, type Verdict } from '../../persistence/checks/inspect.ts';
import { embeddedData } from '../../persistence/postgres/embedded-postgres.ts';
import { downtimeMaxMs, locateDatabase } from './open-service-database.ts';
import { serviceChecks } from '../serving/service-checks.ts';

/** The width of the column before the sentences. */
const MARGIN = 22;

/**
 * `laurel doctor`: runs all checks of the service's start without changing anything. It prints each finding, its fault and the remedy.
 * Exits 1 if the service would not start or its calls would fail.
 */
export async function doctor(config: Config): Promise<void> {
  const embedded = config.databaseUrl ? undefined : await embeddedData(join(config.dataFolder, 'postgres'));
  if (embedded && !embedded.exists) {
    console.log(`There is no database yet in ${embedded.data}: \`npm start\` makes one.`);
    return;
  }
  const located = await locateDatabase(config);
  try {
    const verdicts = await inspect(located.url, [
      ...(await serviceChecks(config)),
      clockCheck,
      clockDoubtCheck(downtimeMaxMs(config)),
      backlogCheck(backlogs),
    ]);
    if (embedded) console.log(line('', 'data', `PostgreSQL's own files lie in ${embedded.data}.`));
    for (const verdict of verdicts) console.log(sentences(verdict));
    const faults = faultsOf(verdicts, 'start').length;
    console.log(
      faults === 0 ? 'All is well: the service can start.' : `${faults} fault(s): the service does not start.`,
    );
    if (faults > 0) process.exitCode = 1;
  } finally {
    await located.close();
  }
}

function sentences({ name, seen, findings, outcome }: Verdict): string {
  if (findings.length === 0) return line(outcome === 'made' ? 'ok' : '-', name, seen);
  return findings.map((finding) => line(mark(finding), name, finding.problem, finding.remedy)).join('\n');
}

function mark({ severity }: Finding): string {
  return severity === 'warning' ? 'warning' : 'FAULT';
}

function line(marked: string, name: string, ...words: readonly string[]): string {
  return `${marked.padEnd(8)}${name.padEnd(MARGIN - 8)}${words.join(`\n${' '.repeat(MARGIN)}`)}`;
}

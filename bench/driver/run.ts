// `node bench/driver/run.ts [pairs] [seconds] [ways]` measures the service with its driver against the same service with statements sent as
// pg documents, in alternating pairs; the ways are those of `bench/pairs.ts`. For each way it prints the median of the pairs' ratios and
// the range of nine in ten: docs/decisions/0093.
import { startService } from '../triggers/service.ts';
import { describePairs, measurePairs, type Way } from '../triggers/ways.ts';

/** The replacements of the driver's statements. */
const REFERENCES = {
  documented: "pg's own pipelining, arrays and moments",
  uncoalesced: 'our arrays and moments, and a write for each statement',
};

const [pairs = '10', seconds = '10', ways = 'batch'] = process.argv.slice(2);

for (const way of ways.split(',') as Way[]) {
  for (const [reference, about] of Object.entries(REFERENCES)) {
    const NODE_OPTIONS = `--import ${import.meta.resolve('./replace-statements.ts')}?${reference}`;
    const measured = await measurePairs(
      { ours: startService, reference: (bench) => startService(bench, { env: { NODE_OPTIONS } }) },
      way,
      { pairs: Number(pairs), seconds: Number(seconds) },
    );
    const [rate, cost] = [describePairs(measured, 'rate'), describePairs(measured, 'cost')];
    console.log(`${way} against ${about}: a second ${rate}; processor time of each ${cost}`);
  }
}

import type { Reporter, TestCase } from 'vitest/node';

/** The number of tests in the table. */
const SHOWN = 15;

/** Seconds of processor time for one test on two quiet cores. A longer test has a long form: `npm run test:soak`. */
const PROCESSOR_MAX_S = 20;

/** The tolerance for a slower or a busy machine before the run fails: the same test took 30 s alone, and 42 s beside others. */
const SLOWER = 2;

/** A long form that somebody asked for, of fault tests or of properties, has no limit. */
const LONG = process.env['LAUREL_SOAK_SECONDS'] !== undefined || process.env['LAUREL_PROPERTY_RUNS'] !== undefined;

/** Ends a test run with a table of its slowest tests. A test over the limit of processor time fails the run. */
export const slowestTests: Reporter = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const slowest = tests.toSorted((a, b) => durationMs(b) - durationMs(a)).slice(0, SHOWN);
    console.log(['Slowest tests (seconds, of the processor):', ...slowest.map(lineOf)].join('\n'));
    const excessive = tests.filter((test) => (test.meta().processorS ?? 0) > PROCESSOR_MAX_S * SLOWER);
    if (excessive.length === 0 || LONG) return;
    console.error(
      [
        `These take more than ${PROCESSOR_MAX_S * SLOWER} s of the processor here, and more than ${PROCESSOR_MAX_S} s on two quiet cores: make them shorter, or a part of \`npm run test:soak\`.`,
      ]
        .concat(excessive.map(lineOf))
        .join('\n'),
    );
    process.exitCode = 1;
  },
};

function durationMs(test: TestCase): number {
  return test.diagnostic()?.duration ?? 0;
}

function lineOf(test: TestCase): string {
  const seconds = (durationMs(test) / 1_000).toFixed(1).padStart(6);
  const processor = (test.meta().processorS ?? 0).toFixed(1).padStart(6);
  return `${seconds} ${processor}  ${test.module.relativeModuleId}: ${test.fullName}`;
}

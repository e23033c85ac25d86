import type { Benchmark } from '../benchmark.ts';
import { measuredTogether } from '../measured-together.ts';
import { whole } from '../report.ts';
import { COUNTED, measureCount } from './count.ts';
import { measureEvaluations, SLOWEST_AIM, TYPICAL, TYPICAL_AIM } from './evaluations.ts';
import { CONDITIONS, measureEvents } from './events.ts';

const evaluations = measuredTogether(
  'expressions',
  {
    evaluation: {
      about: `Microseconds to evaluate \`${TYPICAL}\`, p50, against ${TYPICAL_AIM}.`,
      aim: 1,
      lessIsBetter: true,
    },
    slowest: {
      about: `Microseconds to evaluate the slowest of 100,000 random expressions, against ${SLOWEST_AIM}.`,
      aim: 1,
      lessIsBetter: true,
    },
  },
  measureEvaluations,
);

const inService: readonly Benchmark[] = [
  {
    name: 'expressions:conditions',
    about:
      `Events of five attributes applied per second, 200 in each REST request, to ${CONDITIONS} missions with an expression each, ` +
      'against the same without expressions.',
    aim: 0.9,
    run: (settings) =>
      measureEvents(settings, {
        ours: { missions: CONDITIONS, hasConditions: true, audience: 'EVERYONE' },
        reference: { missions: CONDITIONS, hasConditions: false, audience: 'EVERYONE' },
      }),
  },
  {
    name: 'expressions:audience',
    about:
      'Events applied per second to a mission of a RULE audience, 200 in each REST request, against one of an EVERYONE audience.',
    aim: 0.9,
    run: (settings) =>
      measureEvents(settings, {
        ours: { missions: 1, hasConditions: false, audience: 'RULE' },
        reference: { missions: 1, hasConditions: false, audience: 'EVERYONE' },
      }),
  },
  {
    name: 'expressions:count',
    about: `Milliseconds to count a RULE audience over ${whole(COUNTED)} accounts, p50, against 2,000.`,
    aim: 1,
    lessIsBetter: true,
    run: (settings) => measureCount(settings),
  },
];

export default [...evaluations, ...inService];

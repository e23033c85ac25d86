import { expect, test } from 'vitest';
import { SimulatedMission_Reason as Released } from '../../gen/laurel/v1/trigger_pb.ts';
import type { UncountedReason } from '../../src/engine/decision.ts';
import { deprecatedReason } from '../../src/triggers/simulation/simulate-trigger.ts';

test.each<[UncountedReason, keyof typeof Released]>([
  ['CAMPAIGN_NOT_ACTIVE', 'CAMPAIGN_NOT_ACTIVE'],
  ['CAMPAIGN_PAUSED', 'CAMPAIGN_NOT_ACTIVE'],
  ['BEFORE_ACTIVATION', 'CAMPAIGN_NOT_ACTIVE'],
  ['NOT_IN_AUDIENCE', 'NOT_IN_AUDIENCE'],
  ['BEFORE_JOINING', 'NOT_IN_AUDIENCE'],
  ['NOT_STARTED', 'OUTSIDE_WINDOW'],
  ['OUTSIDE_HOURS', 'OUTSIDE_WINDOW'],
  ['EXPIRED', 'EXPIRED'],
  ['TOO_LATE', 'EXPIRED'],
  ['ALREADY_COMPLETED', 'ALREADY_COMPLETED'],
  ['PREREQUISITE_MISSING', 'PREREQUISITE_MISSING'],
  ['BEFORE_PREREQUISITE', 'PREREQUISITE_MISSING'],
  ['NOT_POSITIVE', 'BELOW_MINIMUM'],
  ['BELOW_MINIMUM', 'BELOW_MINIMUM'],
  ['ABOVE_MAXIMUM', 'ABOVE_MAXIMUM'],
  ['CAP_REACHED', 'CAP_REACHED'],
  ['PERIOD_KEPT', 'CAP_REACHED'],
])('the simulator answers %s to callers of version 0.1.0 as %s', (reason, released) => {
  expect(deprecatedReason(reason)).toBe(Released[released]);
});

import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { candidatesAt } from '../engine/catalog.ts';
import type { MissionPlan } from '../engine/missions/mission-plan.ts';
import { DAY, type Timestamp } from '../engine/time/timestamp.ts';

/**
 * Pairs of an event and a mission that counts it in one batch. It is what 200 events, the most in a batch, have with 25
 * missions each; with more missions on a code a batch takes fewer events. Measured in docs/decisions/0018.
 */
const PAIRS_MAX = 5_000;

/**
 * How many of the events of a client, from the first, one batch should apply: at least one.
 * @param now when those happened that do not say; missions that were over a day before it, and before the event, cost
 * nothing
 */
export function batchSizeFor(
  { rules }: Pick<ClientCatalog, 'rules'>,
  triggers: ReadonlyArray<Pick<Trigger, 'programmaticCode' | 'occurredAt'>>,
  now: Date,
): number {
  const oldest = now.getTime() - DAY;
  const known = new Map<readonly MissionPlan[], number>();
  const missionsOf = ({ programmaticCode, occurredAt }: (typeof triggers)[number]): number => {
    const at = occurredAt === undefined ? now.getTime() : timestampMs(occurredAt);
    const { plans } = candidatesAt(rules, programmaticCode, at);
    const count = known.get(plans) ?? openSince(Math.min(oldest, at), plans);
    known.set(plans, count);
    return count;
  };
  let pairs = 0;
  const tooMany = triggers.findIndex((trigger, index) => (pairs += missionsOf(trigger)) > PAIRS_MAX && index > 0);
  return tooMany === -1 ? triggers.length : tooMany;
}

function openSince(moment: Timestamp, plans: readonly MissionPlan[]): number {
  return plans.length > 1 ? plans.reduce((sum, { closesAt }) => sum + Number(closesAt > moment), 0) : plans.length;
}

import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { candidatesAt } from '../engine/catalog.ts';
import type { MissionPlan } from '../engine/missions/mission-plan.ts';
import { DAY, type Timestamp } from '../kernel/time/timestamp.ts';

/**
 * Pairs of an event and a mission that counts it in one batch: 200 events, the maximum, with 25 missions each. With more missions on a
 * code, a batch takes fewer events. Measured in docs/decisions/0018.
 */
const PAIRS_MAX = 5_000;

/**
 * The number of a client's first events that one batch should apply: at least one.
 * An account appears once in a batch if expressions or levels read its points.
 * @param now the default of `occurredAt`. A mission does not count towards the size if it closed more than a day before `now` and before
 * the event
 */
export function batchSizeFor(
  { rules, readsPoints }: Pick<ClientCatalog, 'rules' | 'readsPoints'>,
  triggers: ReadonlyArray<Pick<Trigger, 'accountId' | 'programmaticCode' | 'occurredAt'>>,
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
  const accounts = new Set<string>();
  const isRepeated = ({ accountId }: (typeof triggers)[number]) =>
    readsPoints && accounts.size === accounts.add(accountId).size;
  const tooMany = triggers.findIndex(
    (trigger, index) => isRepeated(trigger) || ((pairs += missionsOf(trigger)) > PAIRS_MAX && index > 0),
  );
  return tooMany === -1 ? triggers.length : tooMany;
}

function openSince(moment: Timestamp, plans: readonly MissionPlan[]): number {
  return plans.length > 1 ? plans.reduce((sum, { closesAt }) => sum + Number(closesAt > moment), 0) : plans.length;
}

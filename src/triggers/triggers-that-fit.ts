import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { DAY } from '../engine/time/timestamp.ts';

/**
 * Pairs of an event and a mission that counts it in one batch. It is what 200 events, the most in a batch, have with 25
 * missions each; with more missions on a code a batch takes fewer events. Measured in docs/decisions/0018.
 */
const PAIRS_MAX = 5_000;

/**
 * How many of the events of a client, from the first, one batch should apply: at least one.
 * @param now missions that were over a day before it cost nothing: no event can count for them any more
 */
export function triggersThatFit(
  { rules }: Pick<ClientCatalog, 'rules'>,
  triggers: ReadonlyArray<{ readonly programmaticCode: string }>,
  now: Date,
): number {
  const oldest = now.getTime() - DAY;
  const known = new Map<string, number>();
  const missionsOf = (code: string): number => {
    const plans = rules.byCode.get(code)?.plans ?? [];
    return plans.length > 1 ? plans.reduce((sum, plan) => sum + Number(plan.closesAt > oldest), 0) : plans.length;
  };
  let pairs = 0;
  const tooMany = triggers.findIndex(({ programmaticCode: code }, index) => {
    const missions = known.get(code) ?? missionsOf(code);
    known.set(code, missions);
    return (pairs += missions) > PAIRS_MAX && index > 0;
  });
  return tooMany === -1 ? triggers.length : tooMany;
}

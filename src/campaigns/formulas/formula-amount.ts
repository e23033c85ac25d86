import { compareDecimals, type Decimal, floor } from '../../expressions/decimal.ts';
import { type EventContext, type EventExpression, storedExpression } from '../../engine/missions/event-expression.ts';
import { type Amount, ONE } from '../../kernel/amount.ts';
import type { RewardDefinition } from '../../rewards/definitions/reward-definition.ts';
import type { ClientCatalog } from '../catalog/client-catalog.ts';

const formulas = new WeakMap<ClientCatalog, Map<string, EventExpression>>();

/** The compiled expression of a reward over the events of a code; a catalogue never changes, so each is compiled once. */
function formulaOf(catalog: ClientCatalog, { id, amountExpression }: RewardDefinition, code: string) {
  const known = formulas.get(catalog) ?? new Map<string, EventExpression>();
  formulas.set(catalog, known);
  const key = `${id} ${code}`;
  const events = catalog.events.get(code);
  const formula = known.get(key) ?? (events && storedExpression(amountExpression!, events, 'NUMBER'));
  if (formula !== undefined) known.set(key, formula);
  return formula;
}

const ZERO: Decimal = { coefficient: 0n, scale: 0 };

/**
 * The amount of a reward that an event earns: the fixed one, or the whole points of its expression, up to its maximum. Undefined if the
 * expression is below 1 or has no value.
 */
export function amountOfReward(
  catalog: ClientCatalog,
  reward: RewardDefinition,
  context: EventContext,
): Amount | undefined {
  if (reward.amountExpression === undefined) return reward.amount;
  const value = formulaOf(catalog, reward, context.event.programmaticCode)?.run(context) as Decimal | undefined;
  if (value === undefined) return undefined;
  const whole = floor(value);
  if (compareDecimals(whole, ZERO) <= 0) return undefined;
  const amount = whole.coefficient * ONE;
  return amount > reward.amount ? reward.amount : amount;
}

import {
  type EventContext,
  type EventDeclaration,
  type EventExpression,
  storedExpression,
} from '../../engine/missions/event-expression.ts';
import type { Decimal } from '../../expressions/decimal.ts';
import { valuesOf } from '../../expressions/explain.ts';
import { pointsOfFormula } from '../../rewards/definitions/formula-amount.ts';
import type { RewardDefinition } from '../../rewards/definitions/reward-definition.ts';
import type { CalculatedAmount } from '../../rewards/delivery/earned-reward.ts';
import type { ClientCatalog } from '../catalog/client-catalog.ts';

const formulas = new WeakMap<ClientCatalog, Map<string, EventExpression>>();

/** The compiled expression of a reward over the events of a code; a catalogue never changes, so each is compiled once. */
function formulaOf(catalog: ClientCatalog, id: string, text: string, code: string, events: EventDeclaration) {
  const known = formulas.get(catalog) ?? new Map<string, EventExpression>();
  formulas.set(catalog, known);
  const key = `${id} ${code}`;
  const formula = known.get(key) ?? storedExpression(text, events, 'NUMBER');
  known.set(key, formula);
  return formula;
}

/** The amount of a reward by expression that an event earns, or why it pays nothing; undefined for a fixed amount. */
export function calculatedAmount(
  catalog: ClientCatalog,
  { id, amount, amountExpression }: RewardDefinition,
  context: EventContext,
): CalculatedAmount | undefined {
  if (amountExpression === undefined) return undefined;
  const { programmaticCode } = context.event;
  const events = catalog.events.get(programmaticCode);
  if (events === undefined) return { reason: 'AMOUNT_MISSING' };
  const formula = formulaOf(catalog, id, amountExpression, programmaticCode, events);
  const points = pointsOfFormula(formula.run(context) as Decimal | undefined, amount);
  if (typeof points === 'bigint') return points;
  return { reason: points, values: valuesOf(formula, events.environment, context, events.personal) };
}

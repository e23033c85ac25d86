import type { EventContext, EventDeclaration } from '../../engine/missions/event-expression.ts';
import type { Environment, Variable } from '../../expressions/expression-type.ts';
import { checkedExpression } from '../../expressions/invalid-expression.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { eventDeclarations } from '../event-definitions/event-definitions.queries.ts';

/**
 * Checks the expression of a reward's amount by the names that any of the client's events has. The events of a mission are known only when a
 * mission gives the reward: see `mission-rewards.ts`.
 * @throws InvalidExpression
 */
export async function checkFormula(uow: UnitOfWork, text: string, field: string): Promise<void> {
  checkedExpression(text, anyEvent(await eventDeclarations(uow)), 'NUMBER', field);
}

/** The names that at least one of the client's events has; of two types of one name, the first counts. */
export function anyEvent(events: ReadonlyMap<string, EventDeclaration>): Environment<EventContext> {
  const variables = new Map<string, Variable<EventContext>>();
  let timeZone: Environment<EventContext>['timeZone'] = { read: () => 'UTC' };
  for (const { environment } of events.values()) {
    ({ timeZone } = environment);
    for (const [name, variable] of environment.variables) if (!variables.has(name)) variables.set(name, variable);
  }
  return { variables, timeZone };
}

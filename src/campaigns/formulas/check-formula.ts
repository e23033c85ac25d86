import type { AttributeDefinition } from '../../attributes/attribute-definition.ts';
import { declaredAttributes } from '../../clients/account-attributes.ts';
import { declarationOf, type EventContext, type EventDeclaration } from '../../engine/missions/event-expression.ts';
import type { Environment, Variable } from '../../expressions/expression-type.ts';
import { checkedExpression } from '../../expressions/invalid-expression.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { eventDeclarations } from '../event-definitions/event-definitions.queries.ts';

/**
 * Checks the expression of a reward's amount by the names that any of the client's events has. The events of a mission are known only when
 * a mission gives the reward: see `mission-rewards.ts`.
 * @throws InvalidExpression
 */
export async function checkFormula(uow: UnitOfWork, text: string, field: string): Promise<void> {
  const [events, { attributes }] = await Promise.all([eventDeclarations(uow), declaredAttributes(uow)]);
  checkedExpression(text, anyEvent(events, attributes), 'NUMBER', field);
}

/** The names of accounts, and those that at least one of the client's events has; of two types of one name, the first counts. */
export function anyEvent(
  events: ReadonlyMap<string, EventDeclaration>,
  accountAttributes: readonly AttributeDefinition[],
): Environment<EventContext> {
  const { environment: ofAccounts } = declarationOf('SINGLE', [], accountAttributes);
  const variables = new Map<string, Variable<EventContext>>(ofAccounts.variables);
  for (const { environment } of events.values()) {
    for (const [name, variable] of environment.variables) if (!variables.has(name)) variables.set(name, variable);
  }
  return { variables, timeZone: ofAccounts.timeZone };
}

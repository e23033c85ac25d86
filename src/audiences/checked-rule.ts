import { checkedExpression } from '../expressions/invalid-expression.ts';
import { badRequest } from '../kernel/errors/domain-error.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { ruleEnvironment } from './audience-rule.ts';

/**
 * The expression of an audience to store; null for an audience that has none.
 * @param isRule whether the audience is of kind RULE
 * @throws DomainError `BAD_REQUEST` for an expression that is missing, has a mistake, or does not belong to the kind
 */
export async function checkedRule(
  uow: UnitOfWork,
  isRule: boolean,
  expression: string | undefined,
  now: Date,
): Promise<string | null> {
  if (!isRule) {
    if (expression !== undefined) throw badRequest('expression is for an audience of kind RULE: leave it out.');
    return null;
  }
  if (expression === undefined) {
    throw badRequest('expression is missing: an audience of kind RULE needs one, for example account.tier == "GOLD".');
  }
  const { environment } = await ruleEnvironment(uow, now);
  return checkedExpression(expression, environment, 'BOOLEAN', 'expression').text;
}

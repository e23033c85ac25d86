import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { RewardDefinition } from './reward-definition.ts';

/**
 * Refuses a reward with an expression where no event of a mission earns it.
 * @throws DomainError `BAD_REQUEST`
 */
export function requireFixedAmount({ name, amountExpression }: RewardDefinition, field: string): void {
  if (amountExpression === undefined) return;
  throw badRequest(
    sentence`${field}: the amount of the reward '${name}' is an expression, which only missions can pay. Send a reward with an amount.`,
  );
}

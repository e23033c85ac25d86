import {
  type RuleContext,
  ruleContexts,
  ruleEnvironment,
  type RuleEnvironment,
} from '../../audiences/audience-rule.ts';
import type { Account } from '../../accounts/account.ts';
import { compileExpression, type Expression } from '../../expressions/compile.ts';
import type { Decimal } from '../../expressions/decimal.ts';
import { valuesOf } from '../../expressions/explain.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { CalculatedAmount } from '../delivery/earned-reward.ts';
import { pointsOfFormula } from './formula-amount.ts';
import type { RewardDefinition } from './reward-definition.ts';

/** The expression of an amount over the account; undefined if it needs an event. */
function formulaOf(text: string, { environment }: RuleEnvironment): Expression<RuleContext> | undefined {
  try {
    return compileExpression(text, environment, 'NUMBER');
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

/**
 * Refuses rewards whose amounts depend on an event, for a use without one.
 * @param fieldOf the field of the request that names the reward with an index
 * @throws DomainError `REWARD_NEEDS_EVENT`, naming the field
 */
export async function requireAccountFormulas(
  uow: UnitOfWork,
  rewards: readonly RewardDefinition[],
  fieldOf: (index: number) => string,
): Promise<void> {
  if (!rewards.some(({ amountExpression }) => amountExpression !== undefined)) return;
  const environment = await ruleEnvironment(uow);
  for (const [index, { name, amountExpression }] of rewards.entries()) {
    if (amountExpression === undefined || formulaOf(amountExpression, environment) !== undefined) continue;
    throw new DomainError(
      'REWARD_NEEDS_EVENT',
      sentence`${fieldOf(index)}: the amount of the reward '${name}' is ${amountExpression}, which depends on an event or a mission. Only missions give it. Send a reward whose amount is fixed, or depends on the account only.`,
    );
  }
}

/** The amount of a reward by expression for an account, as it is now. */
export type AccountFormulas = (reward: RewardDefinition, account: Account) => CalculatedAmount;

/**
 * The amounts of these rewards by expression over these accounts. Reads the declared attributes, and the accounts' audiences and statistics
 * if an expression uses them.
 */
export async function accountFormulas(
  uow: UnitOfWork,
  rewards: readonly RewardDefinition[],
  accountIds: readonly string[],
  now: Date,
): Promise<AccountFormulas> {
  const environment = await ruleEnvironment(uow);
  const texts = new Set(rewards.flatMap(({ amountExpression }) => amountExpression ?? []));
  const formulas = new Map([...texts].map((text) => [text, formulaOf(text, environment)]));
  const used = [...formulas.values()].flatMap((formula) => formula ?? []);
  const contextOf = await ruleContexts(uow, environment, used, accountIds, now);
  const masked = new Set(environment.attributes.flatMap(({ name, personal }) => (personal ? [`account.${name}`] : [])));
  return ({ amountExpression = '', amount }, account) => {
    const formula = formulas.get(amountExpression);
    const context = contextOf(account, now);
    const points = pointsOfFormula(formula?.run(context) as Decimal | undefined, amount);
    if (typeof points === 'bigint') return points;
    return { reason: points, values: formula && valuesOf(formula, environment.environment, context, masked) };
  };
}

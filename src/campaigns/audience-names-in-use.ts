import { ACCOUNT_AUDIENCES } from '../audiences/audience-rule.ts';
import { soleAudienceName } from '../audiences/audience-names.queries.ts';
import { ruleAudiences } from '../audiences/audiences.queries.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { soughtEntries } from '../expressions/sought-entries.ts';
import type { Uses } from '../kernel/errors/in-use.ts';
import { sentence } from '../kernel/sentence.ts';
import { statisticDefinitions } from '../statistics/definitions/statistic-definitions.queries.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { rewardsByExpression } from './attributes-in-use.ts';
import { expressionsOfMissions, usesOfAudience } from './uses.queries.ts';

/** All uses of an audience: those that address it, and the expressions with its name. */
export async function allUsesOfAudience(uow: UnitOfWork, audienceId: string, now: Date): Promise<Uses> {
  const addressing = await usesOfAudience(uow, audienceId);
  return [...addressing, ...(await usesOfAudienceName(uow, audienceId, now))];
}

/**
 * The expressions that seek the name of an audience in `account.audiences`. A RULE audience, which is not in that list, has none; nor has
 * an audience while another one has the same name, which the expressions then find.
 */
export async function usesOfAudienceName(uow: UnitOfWork, audienceId: string, now: Date): Promise<Uses> {
  const name = await soleAudienceName(uow, audienceId);
  if (name === undefined) return [];
  const named = [
    ...(await expressionsOfMissions(uow, now)),
    ...(await ruleAudiences(uow)).map((rule) => ({
      use: sentence`audience '${rule.name}'`,
      expression: rule.expression,
    })),
    ...(await statisticDefinitions(uow)).flatMap(({ code, condition }) =>
      condition === null ? [] : [{ use: sentence`statistic '${code}'`, expression: condition }],
    ),
    ...(await rewardsByExpression(uow, undefined)).map((reward) => ({
      use: sentence`reward '${reward.name}'`,
      expression: reward.amountExpression,
    })),
  ];
  return named.flatMap(({ use, expression }) =>
    soughtIn(expression).has(name) ? [sentence`${`"${name}" in ${ACCOUNT_AUDIENCES}`} of ${use}`] : [],
  );
}

const NONE: ReadonlySet<string> = new Set();

/** An expression that a later release no longer accepts has no value, so it seeks nothing. */
function soughtIn(expression: string): ReadonlySet<string> {
  try {
    return soughtEntries(expression, ACCOUNT_AUDIENCES);
  } catch (error) {
    if (error instanceof ExpressionError) return NONE;
    throw error;
  }
}

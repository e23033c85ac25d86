import type { ListedAccount } from '../accounts/account.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { ruleContext, ruleEnvironment, ruleOf } from './audience-rule.ts';
import { audiencesWithoutRows } from './audiences.queries.ts';

/** The ids of the RULE audiences whose expressions hold for an account at an instant. */
export async function audiencesByRule(uow: UnitOfWork, account: ListedAccount, now: Date): Promise<string[]> {
  const rules = (await audiencesWithoutRows(uow)).filter(({ expression }) => expression !== null);
  if (rules.length === 0) return [];
  const environment = await ruleEnvironment(uow, now);
  const context = ruleContext(account, environment, now);
  return rules.flatMap(({ id, expression }) => (ruleOf(expression!, environment).run(context) === true ? [id] : []));
}

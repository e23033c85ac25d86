import type { ListedAccount } from '../accounts/account.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { ruleContexts, ruleEnvironment, ruleOf } from './audience-rule.ts';
import { audiencesWithoutRows } from './audiences.queries.ts';

/** The ids of the RULE audiences whose expressions hold for an account at an instant. */
export async function audiencesByRule(uow: UnitOfWork, account: ListedAccount, now: Date): Promise<string[]> {
  const rules = (await audiencesWithoutRows(uow)).filter(({ expression }) => expression !== null);
  if (rules.length === 0) return [];
  const environment = await ruleEnvironment(uow, now);
  const compiled = rules.map(({ id, expression }) => ({ id, rule: ruleOf(expression!, environment) }));
  const used = compiled.map(({ rule }) => rule);
  const context = (await ruleContexts(uow, environment, used, [account.id], now))(account, now);
  return compiled.flatMap(({ id, rule }) => (rule.run(context) === true ? [id] : []));
}

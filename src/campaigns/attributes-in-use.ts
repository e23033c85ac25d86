import { ruleEnvironment, ruleOf } from '../audiences/audience-rule.ts';
import { ruleAudiences } from '../audiences/audiences.queries.ts';
import { declaredAttributes } from '../clients/account-attributes.ts';
import { storedExpression } from '../engine/missions/event-expression.ts';
import { requireUnused } from '../kernel/errors/in-use.ts';
import { sentence, type Sentence } from '../kernel/sentence.ts';
import { statisticDefinitions } from '../statistics/definitions/statistic-definitions.queries.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { loadRewards } from '../rewards/definitions/rewards.queries.ts';
import { eventDeclarations, type EventDeclarations } from './event-definitions/event-definitions.queries.ts';
import { anyEvent } from './formulas/check-formula.ts';
import { expressionsOfMissions, rewardsOfMissions } from './uses.queries.ts';

/**
 * Refuses to remove attributes, or to change their types, while expressions use them.
 * @param names as in expressions: `event.category`, `account.tier`
 * @param programmaticCode the code whose events have them; undefined for attributes of accounts
 * @throws DomainError `ATTRIBUTE_IN_USE`, naming the attributes and where they are used
 */
export async function requireUnusedAttributes(
  uow: UnitOfWork,
  names: readonly string[],
  now: Date,
  programmaticCode?: string,
): Promise<void> {
  if (names.length === 0) return;
  requireUnused(
    'ATTRIBUTE_IN_USE',
    await usesOfNames(uow, names, now, programmaticCode),
    sentence`Keep the attributes and their types, or change the expressions first.`,
  );
}

/** The expressions that use a name of accounts, or of the events of a code, in words: see {@link requireUnusedAttributes}. */
export async function usesOfNames(
  uow: UnitOfWork,
  names: readonly string[],
  now: Date,
  programmaticCode?: string,
): Promise<Sentence[]> {
  const declarations = await eventDeclarations(uow);
  const missions = (await expressionsOfMissions(uow, now, programmaticCode)).flatMap(({ use, code, expression }) => {
    const events = declarations.get(code);
    const used = events && storedExpression(expression, events, 'BOOLEAN').names;
    return names.filter((name) => used?.has(name)).map((name) => sentence`${name} of ${use}`);
  });
  const statistics = (await statisticDefinitions(uow)).flatMap((statistic) => {
    const events = declarations.get(statistic.programmaticCode ?? '');
    if (events === undefined || statistic.condition === null) return [];
    if (programmaticCode !== undefined && programmaticCode !== statistic.programmaticCode) return [];
    const used = storedExpression(statistic.condition, events, 'BOOLEAN').names;
    return names
      .filter((name) => used.has(name))
      .map((name) => sentence`${name} of ${sentence`statistic '${statistic.code}'`}`);
  });
  const audiences = programmaticCode === undefined ? await usesByAudiences(uow, names, now) : [];
  return [
    ...missions,
    ...statistics,
    ...(await usesByRewards(uow, names, declarations, programmaticCode)),
    ...audiences,
  ];
}

/** The RULE audiences whose expressions use one of the names. */
async function usesByAudiences(uow: UnitOfWork, names: readonly string[], now: Date): Promise<Sentence[]> {
  const environment = await ruleEnvironment(uow, now);
  return (await ruleAudiences(uow)).flatMap(({ name: audience, expression }) => {
    const used = ruleOf(expression, environment).names;
    return names
      .filter((name) => used.has(name))
      .map((name) => sentence`${name} of ${sentence`audience '${audience}'`}`);
  });
}

/** The rewards whose amounts are expressions that use one of the names. */
async function usesByRewards(
  uow: UnitOfWork,
  names: readonly string[],
  declarations: EventDeclarations,
  programmaticCode: string | undefined,
): Promise<Sentence[]> {
  const { attributes } = await declaredAttributes(uow);
  const environment = anyEvent(declarations, attributes);
  return (await rewardsByExpression(uow, programmaticCode)).flatMap(({ name: reward, amountExpression }) => {
    const used = storedExpression(amountExpression, { environment }, 'NUMBER').names;
    return names.filter((name) => used.has(name)).map((name) => sentence`${name} of ${sentence`reward '${reward}'`}`);
  });
}

/**
 * The rewards whose amounts are expressions: those that missions of a code give. Without a code, all that are in use: a reward over the
 * account may be given at any time, by a campaign, in a chest or by a person.
 */
export async function rewardsByExpression(
  uow: UnitOfWork,
  programmaticCode: string | undefined,
): Promise<Array<{ readonly name: string; readonly amountExpression: string }>> {
  const given = await rewardsOfMissions(uow, programmaticCode);
  if (programmaticCode !== undefined && given.length === 0) return [];
  const rewards = await loadRewards(uow, programmaticCode === undefined ? undefined : given);
  return [...rewards.values()].flatMap(({ id, name, amountExpression, archivedAt }) =>
    amountExpression !== undefined && (archivedAt === undefined || given.includes(id))
      ? [{ name, amountExpression }]
      : [],
  );
}

import { storedExpression } from '../engine/missions/event-expression.ts';
import { requireUnused } from '../kernel/errors/in-use.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { eventDeclarations } from './event-definitions/event-definitions.queries.ts';
import { expressionsOfMissions } from './uses.queries.ts';

/**
 * Refuses to remove attributes, or to change their types, while expressions use them.
 * @param names as in expressions: `event.category`, `account.tier`
 * @param programmaticCode the code whose events have them; undefined for attributes of accounts
 * @throws DomainError `ATTRIBUTE_IN_USE`, naming missions and attributes
 */
export async function requireUnusedAttributes(
  uow: UnitOfWork,
  names: readonly string[],
  programmaticCode?: string,
): Promise<void> {
  if (names.length === 0) return;
  const declarations = await eventDeclarations(uow);
  const uses = (await expressionsOfMissions(uow, programmaticCode)).flatMap(({ use, code, expression }) => {
    const events = declarations.get(code);
    const used = events && storedExpression(expression, events, 'BOOLEAN').names;
    return names.filter((name) => used?.has(name)).map((name) => sentence`${name} of ${use}`);
  });
  requireUnused(
    'ATTRIBUTE_IN_USE',
    uses,
    sentence`Keep the attributes and their types, or change the expressions first.`,
  );
}

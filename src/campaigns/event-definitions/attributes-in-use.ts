import type { AttributeDefinition } from '../../attributes/attribute-definition.ts';
import { storedExpression } from '../../engine/missions/event-expression.ts';
import { requireUnused } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { expressionsOfCode } from '../uses.queries.ts';
import type { EventDefinitionEntity } from './event-definition.entity.ts';
import { eventDeclarations } from './event-definitions.queries.ts';

/**
 * Refuses to remove attributes, or to change their types, while expressions use them.
 * @throws DomainError `ATTRIBUTE_IN_USE`, naming missions and attributes
 */
export async function requireUnusedAttributes(
  uow: UnitOfWork,
  definition: EventDefinitionEntity,
  attributes: readonly AttributeDefinition[],
): Promise<void> {
  if (attributes.length === 0) return;
  const names = new Set(attributes.map(({ name }) => `event.${name}`));
  const declarations = await eventDeclarations(uow);
  const uses = (await expressionsOfCode(uow, definition.programmaticCode)).flatMap(({ use, expression }) => {
    const used = storedExpression(expression, declarations.get(definition.programmaticCode)!, 'BOOLEAN').names;
    return [...names].filter((name) => used.has(name)).map((name) => sentence`${name} of ${use}`);
  });
  requireUnused(
    'ATTRIBUTE_IN_USE',
    uses,
    sentence`Keep the attributes and their types, or change the expressions first.`,
  );
}

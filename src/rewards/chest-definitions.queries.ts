import type { ChestOdds } from '../engine/chest-roll.ts';
import { notFound } from '../kernel/domain-error.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { pagedList } from '../persistence/list-page.ts';
import { ChestDefinitionEntity } from './chest-definition.entity.ts';

/** What chests of one kind may hold. */
export type ChestDefinition = ChestOdds & { readonly id: string; readonly name: string; readonly createdAt: Date };

/** One chest definition, or undefined. */
export async function findChestDefinition(uow: UnitOfWork, id: string): Promise<ChestDefinition | undefined> {
  const found = await uow.em.findOne(
    ChestDefinitionEntity,
    { clientId: uow.clientId, id },
    { disableIdentityMap: true },
  );
  return found ?? undefined;
}

/**
 * One chest definition.
 * @throws DomainError `CHEST_DEFINITION_NOT_FOUND`
 */
export async function requireChestDefinition(uow: UnitOfWork, id: string): Promise<ChestDefinition> {
  const found = await findChestDefinition(uow, id);
  if (found === undefined) throw notFound('CHEST_DEFINITION', `There is no chest definition ${id}.`);
  return found;
}

/** Chest definitions by page, by name. */
export const chestDefinitionPage = pagedList<ChestDefinition>({
  from: 'chest_definition',
  columns: 'id, name, entries, total_weight as "totalWeight", created_at as "createdAt"',
  orderBy: ['name', 'id'],
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
});

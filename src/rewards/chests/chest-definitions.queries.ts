import type { ChestOdds } from '../../engine/chest-roll.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { ChestDefinitionEntity, chestDefinitionTable } from './chest-definition.entity.ts';

/** The possible contents of chests of one kind. */
export type ChestDefinition = ChestOdds & {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The time of archiving; won chests are still opened by it. */
  readonly deletedAt?: Date | null | undefined;
};

const COLUMNS = propertiesOf(chestDefinitionTable, [
  'id',
  'name',
  'entries',
  'totalWeight',
  'version',
  'createdAt',
  'updatedAt',
  'deletedAt',
]);

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
  if (found === undefined) throw chestDefinitionNotFound(id);
  return found;
}

/** The existing chest definitions with these ids, in no order. */
export function chestDefinitionsById(uow: UnitOfWork, ids: readonly string[]): Promise<ChestDefinition[]> {
  return uow.query<RowOf<typeof COLUMNS>>(
    `select d.* from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: COLUMNS,
      from: 'chest_definition',
      key: { id: 'wanted.id' },
    })} d`,
    [uow.clientId, [...new Set(ids)]],
  );
}

/**
 * One chest definition to change, under the lock of the catalogue.
 * @throws DomainError `CHEST_DEFINITION_NOT_FOUND`
 */
export async function chestDefinitionToChange(uow: UnitOfWork, id: string): Promise<ChestDefinitionEntity> {
  const found = await uow.em.findOne(ChestDefinitionEntity, { clientId: uow.clientId, id: id.toLowerCase() });
  if (found === null) throw chestDefinitionNotFound(id);
  return found;
}

/** Whether any account has won a chest of a definition. */
export async function wasEverWon(uow: UnitOfWork, id: string): Promise<boolean> {
  const rows = await uow.query('select 1 from chest where client_id = $1 and chest_id = $2 limit 1', [
    uow.clientId,
    id,
  ]);
  return rows.length > 0;
}

/** The 404 of an unknown chest definition id. */
export function chestDefinitionNotFound(id: string): DomainError {
  return new DomainError('CHEST_DEFINITION_NOT_FOUND', sentence`There is no chest definition ${id}.`);
}

/** Chest definitions by page, by name. */
export const chestDefinitionPage = pagedList<RowOf<typeof COLUMNS>>({
  from: 'chest_definition',
  columns: COLUMNS,
  orderBy: ['name', 'id'],
  deletable: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    name: { kind: 'text', column: 'name' },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
  orderable: { name: { column: 'name' }, createdAt: { column: 'created_at' }, updatedAt: { column: 'updated_at' } },
  searched: { ids: ['id'], parts: ['name'] },
});

import type { ChestRoll } from '../../engine/chest-roll.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, type KeyLookUp, lookUpByKey } from '../../persistence/key-lookup.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { chestDefinitionTable } from './chest-definition.entity.ts';
import type { Chest } from './chest-message.ts';
import { chestTable } from './chest.entity.ts';

/** A closed chest for an account's inventory. */
export type NewChest = {
  readonly id: string;
  readonly accountId: string;
  /** The id of the definition. */
  readonly chestId: string;
  readonly earnedRewardId: string;
  readonly createdAt: Date;
};

/** Puts chests into inventories, in one statement. */
export const insertChests = insertInto(chestTable, { default: ['openedAt', 'roll'] });

const COLUMNS = columnsOf(chestTable, ['id', 'chestId', 'accountId', 'createdAt', 'openedAt', 'roll'], 'c');

const DEFINED = columnsOf(chestDefinitionTable, ['name'], 'd');

type ChestRow = RowOf<typeof COLUMNS> & RowOf<typeof DEFINED>;

/** SQL for chests `c` with their definitions. @param wanted SQL for the source of their keys, if not a parameter */
const chests = (which: Pick<KeyLookUp, 'key' | 'and' | 'many'>, wanted = '') => `select ${COLUMNS}, ${DEFINED}
   from ${wanted} ${lookUpByKey({ select: '*', from: 'chest', ...which })} c cross join ${lookUpByKey({ select: 'name', from: 'chest_definition', key: { id: 'c.chest_id' } })} d`;

/** An account's chests, latest first. */
export async function chestsOfAccount(uow: UnitOfWork, accountId: string): Promise<Chest[]> {
  const rows = await uow.query<ChestRow>(
    `${chests({ key: { account_id: '$2' }, many: true })} order by c.created_at desc, c.id desc`,
    [uow.clientId, accountId],
  );
  return rows.map(chestFromRow);
}

/** A requested chest, with the account of the request. */
export type NamedChest = { readonly accountId: string; readonly id: string };

/** The requested chests that belong to their accounts. The account's lock is the chest's too. */
export async function findChests(uow: UnitOfWork, named: readonly NamedChest[]): Promise<Chest[]> {
  if (named.length === 0) return [];
  const which = { key: { id: 'wanted.id' }, and: 'account_id = wanted.account_id' };
  const rows = await uow.query<ChestRow>(
    chests(which, 'unnest($2::uuid[], $3::uuid[]) as wanted(account_id, id) cross join'),
    [uow.clientId, named.map(({ accountId }) => accountId), named.map(({ id }) => id)],
  );
  return rows.map(chestFromRow);
}

/**
 * The definition of one chest of any account.
 * @throws DomainError `CHEST_NOT_FOUND`
 */
export async function requireDefinitionOf(uow: UnitOfWork, id: string): Promise<string> {
  const [row] = await uow.query<{ chest_id: string }>(
    `select c.* from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({ select: 'chest_id', from: 'chest', key: { id: 'wanted.id' } })} c`,
    [uow.clientId, [id]],
  );
  if (row === undefined) throw new DomainError('CHEST_NOT_FOUND', sentence`There is no chest ${id}.`);
  return row.chest_id;
}

/** A chest with its draw. */
export type DrawnChest = { readonly id: string; readonly roll: ChestRoll };

/** Stores the draws of chests, under the locks of their accounts. */
export async function markOpened(uow: UnitOfWork, drawn: readonly DrawnChest[], now: Date): Promise<void> {
  if (drawn.length === 0) return;
  await uow.query(
    `update chest c set opened_at = $4, roll = d.roll from ${lockedRows({
      source: 'unnest($2::uuid[], $3::jsonb[]) as d(id, roll)',
      alias: 'd',
      table: 'chest',
      key: { id: 'd.id' },
    })} where c.client_id = $1 and c.ctid = d.row_ctid`,
    [uow.clientId, drawn.map(({ id }) => id), drawn.map(({ roll }) => JSON.stringify(roll)), now],
  );
}

function chestFromRow(row: ChestRow): Chest {
  return {
    id: row.id,
    chestId: row.chest_id,
    name: row.name,
    accountId: row.account_id,
    createdAt: row.created_at,
    opened: row.opened_at && row.roll ? { at: row.opened_at, roll: row.roll } : undefined,
  };
}

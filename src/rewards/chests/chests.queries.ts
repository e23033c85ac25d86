import type { ChestRoll } from '../../engine/chest-roll.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type Probe, probe } from '../../persistence/by-keys.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import { chestDefinitionTable } from './chest-definition.entity.ts';
import type { Chest } from './chest-message.ts';
import { chestTable } from './chest.entity.ts';

/** A closed chest for an account's inventory. */
export type NewChest = {
  readonly id: string;
  readonly accountId: string;
  /** The definition. */
  readonly chestId: string;
  readonly earnedRewardId: string;
  readonly createdAt: Date;
};

/** Puts chests into inventories, in one statement. */
export async function insertChests(uow: UnitOfWork, chests: readonly NewChest[]): Promise<void> {
  if (chests.length === 0) return;
  await uow.query(
    `insert into chest (client_id, id, account_id, chest_id, earned_reward_id, created_at)
     select $1::uuid, c.* from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[]) as c`,
    [
      uow.clientId,
      chests.map((chest) => chest.id),
      chests.map((chest) => chest.accountId),
      chests.map((chest) => chest.chestId),
      chests.map((chest) => chest.earnedRewardId),
      chests.map((chest) => chest.createdAt),
    ],
  );
}

const COLUMNS = columnsOf(chestTable, ['id', 'chestId', 'accountId', 'createdAt', 'openedAt', 'roll'], 'c');

const DEFINED = columnsOf(chestDefinitionTable, ['name'], 'd');

type ChestRow = RowOf<typeof COLUMNS> & RowOf<typeof DEFINED>;

/** SQL for chests `c` with their definitions. */
const chests = (which: Pick<Probe, 'key' | 'and' | 'many'>) => `select ${COLUMNS}, ${DEFINED}
   from ${probe({ select: '*', from: 'chest', ...which })} c cross join ${probe({ select: 'name', from: 'chest_definition', key: { id: 'c.chest_id' } })} d`;

/** An account's chests, latest first. */
export async function chestsOfAccount(uow: UnitOfWork, accountId: string): Promise<Chest[]> {
  const rows = await uow.query<ChestRow>(
    `${chests({ key: { account_id: '$2' }, many: true })} order by c.created_at desc, c.id desc`,
    [uow.clientId, accountId],
  );
  return rows.map(chestFromRow);
}

/** One chest of an account, or undefined. The account's lock is the chest's too. */
export async function findChest(uow: UnitOfWork, accountId: string, id: string): Promise<Chest | undefined> {
  const [row] = await uow.query<ChestRow>(chests({ key: { id: '$3' }, and: 'account_id = $2' }), [
    uow.clientId,
    accountId,
    id,
  ]);
  return row && chestFromRow(row);
}

/** Records how a chest was drawn, under the lock of its account. */
export async function markOpened(uow: UnitOfWork, id: string, roll: ChestRoll, now: Date): Promise<void> {
  await uow.query(
    `update chest c set opened_at = $3, roll = $4 from ${probe({
      ...{ select: 'ctid as place', from: 'chest', key: { id: '$2' }, and: 'opened_at is null' },
    })} held where c.client_id = $1 and c.ctid = held.place`,
    [uow.clientId, id, now, JSON.stringify(roll)],
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

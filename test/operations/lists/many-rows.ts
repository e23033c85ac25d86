import type { UnitOfWork } from '../../../src/persistence/database.ts';
import type { World } from '../../contract/support/world.ts';

/** The number of rows of a table that grows with use, and of one that people fill by hand. */
const ROWS = 20_000;
const BY_HAND_ROWS = 2_000;

const ID = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
const NAME = `'Row ' || n`;

type Filled = {
  readonly table: string;
  /** The original row of the copies. */
  readonly after?: string;
  /** The different columns of a row in SQL with its number `n`; the others are copied from the original row. */
  readonly own: Readonly<Record<string, string>>;
};

/** Tables that grow with use. */
const growing = ({ product, reward }: World): readonly Filled[] => [
  {
    table: 'account',
    own: { id: ID, external_id: `'user-' || n`, email: `'person.' || n || '@example.com'`, name: NAME },
  },
  { table: 'assignment', own: { id: ID, account_id: ID } },
  { table: 'audience_member', own: { account_id: ID } },
  { table: 'audit_entry', own: { id: ID } },
  { table: 'campaign_completion', own: { account_id: ID } },
  {
    table: 'earned_reward',
    after: `status = 'PENDING_STOCK'`,
    own: { id: ID, account_id: ID, queue_position: '1000 + n', reward_id: `'${reward}'`, product_id: `'${product}'` },
  },
  { table: 'product_code', own: { id: ID, code: `'many-' || n` } },
  {
    table: 'redemption',
    after: `source = 'MARKETPLACE'`,
    own: { id: ID, account_id: ID, product_id: `'${product}'` },
  },
  { table: 'reservation', own: { id: ID, account_id: ID } },
  { table: 'trigger_inbox', after: 'dead_at is not null', own: { id: ID, account_id: `'user-' || n` } },
  { table: 'webhook_delivery', own: { id: ID, message_id: ID } },
  { table: 'webhook_retry', own: { id: ID } },
];

const NAMED = { id: ID, name: NAME };

/** Tables that people fill by hand. */
const BY_HAND: readonly Filled[] = [
  { table: 'agreement', own: { ...NAMED, reserved: '0' } },
  { table: 'audience', own: NAMED },
  { table: 'campaign', own: NAMED },
  { table: 'chest_definition', own: NAMED },
  { table: 'console_user', own: { ...NAMED, email: `'person.' || n || '@example.com'` } },
  { table: 'credential', own: { ...NAMED, hash: `sha256(('many ' || n)::bytea)` } },
  { table: 'csv_import', own: { id: ID } },
  { table: 'event_definition', own: { ...NAMED, programmatic_code: `'CODE_' || n` } },
  { table: 'mission', after: 'campaign_id is null', own: NAMED },
  { table: 'product', own: NAMED },
  { table: 'publication', after: `status = 'PUBLISHED_ON_MARKETPLACE'`, own: NAMED },
  { table: 'reward', after: `type = 'POINTS'`, own: NAMED },
];

/** Whether a statement reads a table that people fill by hand, or a small one. */
export function readsByHand(sql: string): boolean {
  return BY_HAND.some(({ table }) => new RegExp(`from "?${table}\\b`).test(sql));
}

/** Adds many rows for a client that has one of each resource, to tables that are never analysed. */
export async function addManyRows(uow: UnitOfWork, world: World): Promise<void> {
  // Calls cannot create a row that stays, because the service would send it.
  await uow.query(
    `insert into webhook_retry (client_id, id, configuration_id, type, body, attempts, failed_retries, first_attempt_at,
                                next_attempt_at, last_outcome)
     values ($1, gen_random_uuid(), gen_random_uuid(), 'REWARDS', '[]', 1, 1, now(), now() + interval '1 day', 'FAILED')`,
    [uow.clientId],
  );
  for (const filled of growing(world)) await fill(uow, filled, ROWS);
  for (const filled of BY_HAND) await fill(uow, filled, BY_HAND_ROWS);
}

async function fill(uow: UnitOfWork, { table, after = 'true', own }: Filled, rows: number): Promise<void> {
  await uow.query('set local role none');
  await uow.query(`alter table ${table} set (autovacuum_enabled = off)`);
  await uow.query('set local role laurel_app');
  const values = Object.entries(own).map(([column, value]) => `'${column}', ${value}`);
  await uow.query(
    `insert into ${table}
     select (jsonb_populate_record(one.whole, jsonb_build_object(${values.join(', ')}))).*
       from (select t as whole from ${table} t where client_id = $1 and ${after} limit 1) one,
            generate_series(1, $2::int) n`,
    [uow.clientId, rows],
  );
}

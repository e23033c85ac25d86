import { randomBytes } from 'node:crypto';
import { newId } from '../../../src/kernel/ids.ts';
import type { Database } from '../../../src/persistence/database.ts';

/** Texts that are equal, have an unusual order, or look like another type. */
const TEXTS = ['b', 'B', 'a', 'a', 'a', 'ä', 'Z', 'é', 'ж', '😀', '10', '9', '%', "'", ' x', 'ab', 'aB', '日本'];
const MOMENTS = [
  '2027-01-01T00:00:00Z',
  '2027-01-01T00:00:00.001Z',
  '2031-12-31T23:59:59.999Z',
  '2027-01-01T00:00:00Z',
];

const text = (n: number) => TEXTS[n % TEXTS.length];
const moment = (n: number) => MOMENTS[n % MOMENTS.length];
const orNull = (value: (n: number) => unknown) => (n: number) => (n % 3 === 0 ? null : value(n));

/** The different columns of a new row; the others are copied from the original row. */
const OWN: Readonly<Record<string, Readonly<Record<string, (n: number) => unknown>>>> = {
  account: {
    external_id: orNull((n) => `${text(n)}${n}`),
    email: orNull(text),
    name: orNull((n) => text(n * 5)),
    created_at: moment,
  },
  agreement: { name: text, reserved: () => 0, stock: (n) => n % 4, created_at: moment },
  audience: { name: text, created_at: moment, updated_at: moment },
  audit_entry: {},
  campaign: {
    name: text,
    starts_at: orNull(() => MOMENTS[0]),
    ends_at: orNull((n) => `203${n % 5}-01-01`),
    updated_at: moment,
  },
  chest_definition: { name: text, created_at: moment, updated_at: moment },
  console_user: {
    email: (n) => `${text(n)}${n}@x.com`,
    name: text,
    last_signed_in_at: orNull(moment),
    created_at: moment,
  },
  credential: {
    hash: () => `\\x${randomBytes(32).toString('hex')}`,
    name: text,
    created_at: moment,
    expires_at: orNull(moment),
    last_used_at: orNull(moment),
  },
  csv_import: { file_name: text, created_at: moment },
  earned_reward: { queue_position: (n) => 1_000 + n },
  event_definition: { programmatic_code: (n) => `${text(n)}${n}`, name: text, created_at: moment, updated_at: moment },
  mission: { name: text, programmatic_code: text, updated_at: moment },
  product: { name: text, points_cost: orNull((n) => (n % 3) + 0.5), created_at: moment },
  product_code: { code: (n) => `code-${n}` },
  publication: { name: text, points_cost: orNull((n) => n % 5), created_at: moment },
  redemption: {},
  reservation: {},
  reward: { name: text, amount: (n) => (n % 7) + 1, created_at: moment },
  trigger_inbox: { dead_at: moment, operation_id: (n) => `operation-${n}` },
  webhook_delivery: {},
};

/** The original row of the copies. */
const AFTER: Readonly<Record<string, string>> = {
  earned_reward: `status = 'PENDING_STOCK'`,
  mission: 'campaign_id is null',
  redemption: `source = 'MARKETPLACE'`,
  reward: `type = 'POINTS'`,
  trigger_inbox: 'dead_at is not null',
  product: `stock_mode = 'COUNTED'`,
};

/** Adds `count` rows to every list of a client that has one of each resource. */
export async function addHostileRows(db: Database, clientId: string, rows: number): Promise<void> {
  for (const [table, own] of Object.entries(OWN)) {
    const made = Array.from({ length: rows }, (_, n) => ({
      id: newId(),
      ...Object.fromEntries(Object.entries(own).map(([column, value]) => [column, value(n)])),
    }));
    await db.unitOfWork(clientId, (uow) =>
      uow.query(
        `insert into ${table}
         select (jsonb_populate_record(one.whole, other)).*
           from (select t as whole from ${table} t where client_id = $1 and ${AFTER[table] ?? 'true'}
                  order by id limit 1) one,
                jsonb_array_elements($2::jsonb) other`,
        [clientId, JSON.stringify(made)],
      ),
    );
  }
}

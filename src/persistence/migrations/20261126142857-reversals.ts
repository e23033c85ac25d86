import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.2.0 forget which completions were reversed, and let no debt of points be paid: reverse no event before the last of these hosts has stopped.',
};

// One table at a time, as calls that hold one of them want another.
export const steps: readonly Step[] = [
  {
    sql: `alter table "earned_reward"
      add column if not exists "amount_reversed" numeric(20,4) null,
      add column if not exists "amount_owed" numeric(20,4) null,
      add column if not exists "first_round" int null,
      add column if not exists "rounds" int null`,
  },
  { sql: `alter table "point_balance" add column if not exists "debt" numeric(20,4) not null default '0'` },
  {
    sql: `alter table "point_entry"
      drop constraint if exists "point_entry_type_check",
      add constraint "point_entry_type_check"
      check ("type" in ('EARN', 'SPEND', 'EXPIRE', 'REFUND', 'ADJUST', 'REVERSE')) not valid`,
  },
  { validate: 'point_entry_type_check', of: 'point_entry' },
];

/** What reversals took back of events. */
export class Reversals extends Migration {
  override up(): void {
    this.addSql(`alter table "reward" add "on_reversal" text null;`);
    this.addSql(
      `alter table "reward" add constraint "reward_on_reversal_check" check ("on_reversal" in ('KEEP', 'CLAW_BACK', 'CLAW_BACK_UNUSED'));`,
    );
    this.addSql(
      `create table "trigger_reversal" ("client_id" uuid not null, "batch_id" uuid not null, "entry" int not null, "account_id" uuid not null, "amount" numeric(20,4) not null, "reversed_at" timestamptz(3) not null, primary key ("client_id", "batch_id", "entry"));`,
    );
    this.addSql(
      `create index "trigger_reversal_account" on "trigger_reversal" ("client_id", "account_id", "batch_id", "entry");`,
    );
    this.addSql(`alter table "trigger_reversal" add constraint "trigger_reversal_amount_check" check (amount > 0);`);
    this.addSql(`alter table "trigger_reversal" enable row level security;`);
    this.addSql(`alter table "trigger_reversal" force row level security;`);
    this.addSql(
      `create policy "own_client" on "trigger_reversal" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "trigger_reversal" to "laurel_system" using (true) with check (true);`,
    );
    // Planned for the largest client, as all tables are: docs/decisions/0046.
    this.addSql(`alter table "trigger_reversal" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "trigger_reversal" set (fillfactor = 80);`);
  }
}

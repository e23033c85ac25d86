import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.1.0 keep answers without the account that they are about: such answers stay until their retention when the account is erased.',
};

/** Neither column has a default, so that no row is rewritten, nor an index, which every event would pay for. */
export const steps: readonly Step[] = [
  {
    sql: `alter table "operation" add column if not exists "account_id" uuid null, add column if not exists "erased" boolean null`,
  },
];

/** Erasures that reach what no index finds, and the account that a stored answer is about. */
export class AccountErasures extends Migration {
  override up(): void {
    this.addSql(
      `create table "account_erasure" ("client_id" uuid not null, "account_id" uuid not null, "erased_at" timestamptz(3) not null, "pass" int not null default 1, "part_name" text null, "place" text null, "due_at" timestamptz(3) not null, "finished_at" timestamptz(3) null, primary key ("client_id", "account_id"));`,
    );
    this.addSql(
      `create index "account_erasure_open" on "account_erasure" ("client_id", "due_at") where finished_at is null;`,
    );

    this.addSql(`alter table "account_erasure" enable row level security;`);
    this.addSql(`alter table "account_erasure" force row level security;`);
    this.addSql(
      `create policy "own_client" on "account_erasure" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "account_erasure" to "laurel_system" using (true) with check (true);`);
    // Planned for the largest client, as all tables are: docs/decisions/0046.
    this.addSql(`alter table "account_erasure" alter column "client_id" set (n_distinct = 1);`);
  }
}

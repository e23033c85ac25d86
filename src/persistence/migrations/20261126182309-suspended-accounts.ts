import { Migration } from '@mikro-orm/migrations';
import { REPLACE_ACCOUNT_SEARCH } from '../migrating/account-search.ts';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.2.0 apply the events of suspended accounts: suspend no account before the last of these hosts has stopped.',
};

/** Suspended accounts, and their events. */
export class SuspendedAccounts extends Migration {
  override up(): void {
    this.addSql(
      `create table "suspended_trigger" ("client_id" uuid not null, "id" uuid not null, "account_id" uuid not null, "programmatic_code" text not null, "named_account_id" text collate "C" not null, "id_type" text not null, "metadata" jsonb null, "operation_id" text collate "C" null, "occurred_at" timestamptz(3) not null, "accepted_at" timestamptz(3) not null, primary key ("client_id", "id"));`,
    );
    this.addSql(`create index "suspended_trigger_account" on "suspended_trigger" ("client_id", "account_id", "id");`);
    this.addSql(
      `alter table "suspended_trigger" add constraint "suspended_trigger_id_type_check" check ("id_type" in ('EXTERNAL', 'INTERNAL'));`,
    );
    this.addSql(`alter table "suspended_trigger" enable row level security;`);
    this.addSql(`alter table "suspended_trigger" force row level security;`);
    this.addSql(
      `create policy "own_client" on "suspended_trigger" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "suspended_trigger" to "laurel_system" using (true) with check (true);`,
    );
    // Planned for the largest client, as all tables are: docs/decisions/0046.
    this.addSql(`alter table "suspended_trigger" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "account" add "suspended_at" timestamptz(3) null;`);
    this.addSql(REPLACE_ACCOUNT_SEARCH);
  }
}

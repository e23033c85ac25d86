import { Migration } from '@mikro-orm/migrations';
import { REPLACE_ACCOUNT_SEARCH_WITHOUT_MERGED } from '../migrating/account-search.ts';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.2.0 take a merged account for an account: merge none before the last of these hosts has stopped.',
};

// One table at a time, as calls that hold one of them want another.
export const steps: readonly Step[] = [
  { sql: `alter table "account" add column if not exists "merged_into" uuid null` },
  { index: 'account_merged', on: '"account" ("client_id", "merged_into") where merged_into is not null' },
  {
    sql: `alter table "point_entry"
      drop constraint if exists "point_entry_type_check",
      add constraint "point_entry_type_check"
      check ("type" in ('EARN', 'SPEND', 'EXPIRE', 'REFUND', 'ADJUST', 'REVERSE', 'MERGE')) not valid`,
  },
  { validate: 'point_entry_type_check', of: 'point_entry' },
];

/** Accounts that became one. */
export class AccountMerges extends Migration {
  override up(): void {
    this.addSql(
      `create table "account_merge" ("client_id" uuid not null, "id" uuid not null, "account_id" uuid not null, "external_id" text collate "C" null, "into_account_id" uuid not null, "progress" text not null, "operation_id" text collate "C" null, "merged_at" timestamptz(3) not null, "undone_at" timestamptz(3) null, "has_paid" boolean not null, "kept" jsonb null, primary key ("client_id", "id"));`,
    );
    this.addSql(`create index "account_merge_into" on "account_merge" ("client_id", "into_account_id", "id");`);
    this.addSql(`create index "account_merge_account" on "account_merge" ("client_id", "account_id", "id");`);
    this.addSql(
      `alter table "account_merge" add constraint "account_merge_progress_check" check ("progress" in ('MAX', 'SUM'));`,
    );
    this.addSql(`alter table "account_merge" enable row level security;`);
    this.addSql(`alter table "account_merge" force row level security;`);
    this.addSql(
      `create policy "own_client" on "account_merge" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "account_merge" to "laurel_system" using (true) with check (true);`);
    // Planned for the largest client, as all tables are: docs/decisions/0046.
    this.addSql(`alter table "account_merge" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "account_merge" set (fillfactor = 80);`);
    this.addSql(REPLACE_ACCOUNT_SEARCH_WITHOUT_MERGED);
  }
}

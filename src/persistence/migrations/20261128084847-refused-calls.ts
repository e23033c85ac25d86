import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/** The log of refused calls, and counts of all calls by the hour. */
export class Migration20261128084847_refused_calls extends Migration {
  override name = 'Migration20261128084847_refused_calls';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "call_count" ("client_id" uuid not null, "hour" timestamptz(3) not null, "operation" text collate "C" not null, "credential_id" uuid not null, "code" text collate "C" not null, "calls" bigint not null, primary key ("client_id", "hour", "operation", "credential_id", "code"));`,
    );

    this.addSql(
      `create table "refused_call" ("client_id" uuid not null, "id" uuid not null, "operation" text collate "C" not null, "credential_id" uuid not null, "account_token" boolean not null, "status_code" int not null, "code" text collate "C" not null, "message" text not null, "account_id" uuid null, "programmatic_code" text null, "resource_id" uuid null, "operation_id" text null, "field" text null, primary key ("client_id", "id"));`,
    );
    this.addSql(`create index "refused_call_account" on "refused_call" ("client_id", "account_id", "id");`);
    this.addSql(`create index "refused_call_operation" on "refused_call" ("client_id", "operation", "id");`);
    this.addSql(`create index "refused_call_credential" on "refused_call" ("client_id", "credential_id", "id");`);
    this.addSql(`create index "refused_call_code" on "refused_call" ("client_id", "code", "id");`);

    this.addSql(`alter table "call_count" enable row level security;`);
    this.addSql(`alter table "call_count" force row level security;`);
    this.addSql(
      `create policy "own_client" on "call_count" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "call_count" to "laurel_system" using (true) with check (true);`);

    this.addSql(`alter table "refused_call" enable row level security;`);
    this.addSql(`alter table "refused_call" force row level security;`);
    this.addSql(
      `create policy "own_client" on "refused_call" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "refused_call" to "laurel_system" using (true) with check (true);`);

    // Planned for the largest client, as all tables are: docs/decisions/0046.
    this.addSql(`alter table "call_count" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "refused_call" alter column "client_id" set (n_distinct = 1);`);
  }
}

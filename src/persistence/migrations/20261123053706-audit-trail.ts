import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

export const steps: readonly Step[] = [
  {
    sql: `alter table "audit_entry"
      drop constraint if exists "audit_entry_actor_type_check",
      add constraint "audit_entry_actor_type_check"
      check ("actor_type" in ('USER', 'CREDENTIAL', 'COMMAND_LINE', 'UNKNOWN')) not valid`,
  },
  { validate: 'audit_entry_actor_type_check', of: 'audit_entry' },
];

/** Sign-ins that failed, counted by the hour until the audit log has them. */
export class AuditTrail extends Migration {
  override up(): void {
    this.addSql(
      `create table "failed_sign_in" ("client_id" uuid not null, "user_id" uuid not null, "network" text not null, "hour" timestamptz(3) not null, "failures" int not null, primary key ("client_id", "user_id", "network", "hour"));`,
    );
    this.addSql(`create index "failed_sign_in_hour" on "failed_sign_in" ("client_id", "hour");`);

    this.addSql(`alter table "failed_sign_in" enable row level security;`);
    this.addSql(`alter table "failed_sign_in" force row level security;`);
    this.addSql(
      `create policy "own_client" on "failed_sign_in" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "failed_sign_in" to "laurel_system" using (true) with check (true);`);
    // Planned for the largest client, as all tables are: docs/decisions/0046.
    this.addSql(`alter table "failed_sign_in" alter column "client_id" set (n_distinct = 1);`);
  }
}

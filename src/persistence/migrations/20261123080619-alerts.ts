import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.1.0 send no alerts; those of this release do.',
};

/** Who is told of what needs attention, and what has been told. */
export class Alerts extends Migration {
  override up(): void | Promise<void> {
    this.addSql(
      `create table "alert_channel" ("client_id" uuid not null, "kind" text not null, "lease_id" uuid null, "lease_until" timestamptz(3) null, "last_sent_at" timestamptz(3) null, "failures" int not null default 0, "failing_since" timestamptz(3) null, "next_attempt_at" timestamptz(3) null, "last_error" text null, primary key ("client_id", "kind"));`,
    );

    this.addSql(
      `create table "alert" ("client_id" uuid not null, "cause_key" text not null, "id" uuid not null, "opened_at" timestamptz(3) not null, "gone_since" timestamptz(3) null, "webhook_told_at" timestamptz(3) null, "email_told_at" timestamptz(3) null, primary key ("client_id", "cause_key"));`,
    );

    this.addSql(
      `create table "alert_setting" ("client_id" uuid not null, "endpoint" text null, "signing_secret_sealed" text null, "recipients" jsonb not null default '[]', "causes" jsonb not null default '[]', "language" text not null, "quiet_from" int null, "quiet_to" int null, "quiet_zone" text null, "reminder_hours" int null, "version" int not null default 1, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("client_id"));`,
    );

    this.addSql(
      `alter table "alert_channel" add constraint "alert_channel_kind_check" check ("kind" in ('WEBHOOK', 'EMAIL'));`,
    );
    this.addSql(`alter table "alert_channel" enable row level security;`);
    this.addSql(`alter table "alert_channel" force row level security;`);
    this.addSql(
      `create policy "own_client" on "alert_channel" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "alert_channel" to "laurel_system" using (true) with check (true);`);

    this.addSql(`alter table "alert" enable row level security;`);
    this.addSql(`alter table "alert" force row level security;`);
    this.addSql(
      `create policy "own_client" on "alert" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "alert" to "laurel_system" using (true) with check (true);`);

    this.addSql(
      `alter table "alert_setting" add constraint "alert_setting_language_check" check ("language" in ('EN', 'ES'));`,
    );
    this.addSql(`alter table "alert_setting" enable row level security;`);
    this.addSql(`alter table "alert_setting" force row level security;`);
    this.addSql(
      `create policy "own_client" on "alert_setting" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "alert_setting" to "laurel_system" using (true) with check (true);`);
    this.addSql(
      `alter table "alert_setting" add constraint "alert_setting_client_id_fkey" foreign key ("client_id") references "client" ("id");`,
    );
    // Planned for the largest client, as all tables are: docs/decisions/0046.
    for (const table of ['alert_setting', 'alert_channel', 'alert'])
      this.addSql(`alter table "${table}" alter column "client_id" set (n_distinct = 1);`);
  }
}

import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of earlier releases decide about no level: create no track before the last of these hosts has stopped.',
};

export class Migration20261127083336_levels extends Migration {
  override name = 'Migration20261127083336_levels';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "account_level" ("client_id" uuid not null, "account_id" uuid not null, "track_id" uuid not null, "code" text collate "C" null, "since" timestamptz(3) not null, "held_value" numeric(20,4) null, "review_at" timestamptz(3) null, "is_warned" boolean not null default false, "next_step_at" timestamptz(3) null, "paid" text[] collate "C" not null, primary key ("client_id", "account_id", "track_id"));`,
    );
    this.addSql(`create index "account_level_track" on "account_level" ("client_id", "track_id", "account_id");`);
    this.addSql(
      `create index "account_level_next_step" on "account_level" ("client_id", "next_step_at", "account_id", "track_id") where next_step_at is not null;`,
    );

    this.addSql(
      `create table "deleted_level_track" ("client_id" uuid not null, "track_id" uuid not null, "deleted_at" timestamptz(3) not null, primary key ("client_id", "track_id"));`,
    );

    this.addSql(
      `create table "level_track" ("client_id" uuid not null, "id" uuid not null, "code" text collate "C" not null, "name" text not null, "description" text not null default '', "statistic_code" text collate "C" not null, "levels" jsonb not null, "downgrade" text not null, "hold_days" int null, "at_risk_days" int null, "version" int not null default 1, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("client_id", "id"));`,
    );
    this.addSql(`alter table "level_track" add constraint "level_track_code_unique" unique ("client_id", "code");`);

    this.addSql(`alter table "earned_reward" add "level_track_id" uuid null;`);

    this.addSql(`alter table "account_level" enable row level security;`);
    this.addSql(`alter table "account_level" force row level security;`);
    this.addSql(
      `create policy "own_client" on "account_level" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "account_level" to "laurel_system" using (true) with check (true);`);

    this.addSql(`alter table "deleted_level_track" enable row level security;`);
    this.addSql(`alter table "deleted_level_track" force row level security;`);
    this.addSql(
      `create policy "own_client" on "deleted_level_track" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "deleted_level_track" to "laurel_system" using (true) with check (true);`,
    );

    this.addSql(
      `alter table "level_track" add constraint "level_track_downgrade_check" check ("downgrade" in ('NEVER', 'ONE', 'BALANCE'));`,
    );
    this.addSql(`alter table "level_track" enable row level security;`);
    this.addSql(`alter table "level_track" force row level security;`);
    this.addSql(
      `create policy "own_client" on "level_track" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "level_track" to "laurel_system" using (true) with check (true);`);
    // PostgreSQL plans the statements of a client for the largest one.
    this.addSql(`alter table "level_track" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "deleted_level_track" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "account_level" alter column "client_id" set (n_distinct = 1);`);
  }
}

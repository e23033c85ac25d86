import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of earlier releases rank nobody: activate no leaderboard before the last of these hosts has stopped.',
};

export class Migration20261127133536_leaderboards extends Migration {
  override name = 'Migration20261127133536_leaderboards';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "deleted_leaderboard_run" ("client_id" uuid not null, "run_id" uuid not null, "deleted_at" timestamptz(3) not null, primary key ("client_id", "run_id"));`,
    );

    this.addSql(
      `create table "hidden_account" ("client_id" uuid not null, "account_id" uuid not null, "hidden_at" timestamptz(3) not null, primary key ("client_id", "account_id"));`,
    );

    this.addSql(
      `create table "leaderboard_delta" ("client_id" uuid not null, "run_id" uuid not null, "id" uuid not null, "score_before" bigint null, "score_after" bigint null, primary key ("client_id", "run_id", "id"));`,
    );

    this.addSql(
      `create table "leaderboard" ("client_id" uuid not null, "id" uuid not null, "name" text not null, "description" text not null default '', "status" text not null, "statistic_code" text collate "C" not null, "audience_ids" uuid[] not null default '{}', "rank_order" text not null, "entries_shown" int not null, "display_name_attribute" text null, "late_hours" int not null, "prizes" jsonb not null, "activated_at" timestamptz(3) null, "ended_at" timestamptz(3) null, "fill_pass" int null, "fill_after" uuid null, "fill_due_at" timestamptz(3) null, "version" int not null default 1, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("client_id", "id"));`,
    );
    this.addSql(`create index "leaderboard_filling" on "leaderboard" ("client_id", "id") where fill_pass is not null;`);

    this.addSql(
      `create table "leaderboard_entry" ("client_id" uuid not null, "account_id" uuid not null, "statistic_id" uuid not null, "period" int not null, "run_id" uuid not null, "score" bigint null, "reached_at" timestamptz(3) not null, "is_member" boolean null, "is_ranked" boolean not null, "previous_score" bigint null, primary key ("client_id", "account_id", "statistic_id", "period", "run_id"));`,
    );
    this.addSql(
      `create index "leaderboard_entry_rank" on "leaderboard_entry" ("client_id", "run_id", "score", "reached_at", "account_id") where is_member and is_ranked;`,
    );
    this.addSql(
      `create index "leaderboard_entry_unlisted" on "leaderboard_entry" ("client_id", "run_id", "account_id") where (is_member and is_ranked) is not true;`,
    );

    this.addSql(
      `create table "leaderboard_range" ("client_id" uuid not null, "run_id" uuid not null, "lower" bigint not null, "entries" int not null, primary key ("client_id", "run_id", "lower"));`,
    );

    this.addSql(
      `create table "leaderboard_run" ("client_id" uuid not null, "id" uuid not null, "leaderboard_id" uuid not null, "statistic_id" uuid not null, "period" int not null, "since" timestamptz(3) null, "until" timestamptz(3) null, "closes_at" timestamptz(3) null, "due_at" timestamptz(3) null, "status" text not null, "closed_at" timestamptz(3) null, "cancel_reason" text null, "entries" int null, "prizes" jsonb null, "paid_score" bigint null, "paid_reached_at" timestamptz(3) null, "paid_account_id" uuid null, "paid_rank" int not null default 0, "paid_position" int not null default 0, "prizes_delivered" int not null default 0, "has_ranges" boolean not null default false, "arrivals" int not null default 0, "created_at" timestamptz(3) not null default now(), primary key ("client_id", "id"));`,
    );
    this.addSql(
      `create index "leaderboard_run_due" on "leaderboard_run" ("client_id", "due_at", "id") where due_at is not null;`,
    );
    this.addSql(
      `create index "leaderboard_run_open" on "leaderboard_run" ("client_id", "statistic_id", "period", "id") where status = 'OPEN';`,
    );
    this.addSql(
      `alter table "leaderboard_run" add constraint "leaderboard_run_period" unique ("client_id", "leaderboard_id", "period");`,
    );

    this.addSql(`alter table "earned_reward" add "leaderboard_run_id" uuid null;`);

    this.addSql(`alter table "deleted_leaderboard_run" enable row level security;`);
    this.addSql(`alter table "deleted_leaderboard_run" force row level security;`);
    this.addSql(
      `create policy "own_client" on "deleted_leaderboard_run" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "deleted_leaderboard_run" to "laurel_system" using (true) with check (true);`,
    );

    this.addSql(`alter table "hidden_account" enable row level security;`);
    this.addSql(`alter table "hidden_account" force row level security;`);
    this.addSql(
      `create policy "own_client" on "hidden_account" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "hidden_account" to "laurel_system" using (true) with check (true);`);

    this.addSql(`alter table "leaderboard_delta" enable row level security;`);
    this.addSql(`alter table "leaderboard_delta" force row level security;`);
    this.addSql(
      `create policy "own_client" on "leaderboard_delta" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "leaderboard_delta" to "laurel_system" using (true) with check (true);`,
    );

    this.addSql(
      `alter table "leaderboard" add constraint "leaderboard_status_check" check ("status" in ('DRAFT', 'ACTIVE', 'ENDED'));`,
    );
    this.addSql(
      `alter table "leaderboard" add constraint "leaderboard_rank_order_check" check ("rank_order" in ('HIGHEST_FIRST', 'LOWEST_FIRST'));`,
    );
    this.addSql(`alter table "leaderboard" enable row level security;`);
    this.addSql(`alter table "leaderboard" force row level security;`);
    this.addSql(
      `create policy "own_client" on "leaderboard" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "leaderboard" to "laurel_system" using (true) with check (true);`);

    this.addSql(`alter table "leaderboard_entry" enable row level security;`);
    this.addSql(`alter table "leaderboard_entry" force row level security;`);
    this.addSql(
      `create policy "own_client" on "leaderboard_entry" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "leaderboard_entry" to "laurel_system" using (true) with check (true);`,
    );

    this.addSql(`alter table "leaderboard_range" enable row level security;`);
    this.addSql(`alter table "leaderboard_range" force row level security;`);
    this.addSql(
      `create policy "own_client" on "leaderboard_range" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "leaderboard_range" to "laurel_system" using (true) with check (true);`,
    );

    this.addSql(
      `alter table "leaderboard_run" add constraint "leaderboard_run_status_check" check ("status" in ('OPEN', 'CLOSING', 'CLOSED', 'CANCELLED'));`,
    );
    this.addSql(`alter table "leaderboard_run" enable row level security;`);
    this.addSql(`alter table "leaderboard_run" force row level security;`);
    this.addSql(
      `create policy "own_client" on "leaderboard_run" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "leaderboard_run" to "laurel_system" using (true) with check (true);`);
    // PostgreSQL plans the statements of a client for the largest one.
    this.addSql(`alter table "leaderboard" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "leaderboard_run" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "leaderboard_entry" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "leaderboard_range" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "leaderboard_delta" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "deleted_leaderboard_run" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "hidden_account" alter column "client_id" set (n_distinct = 1);`);
  }
}

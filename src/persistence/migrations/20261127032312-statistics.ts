import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.2.0 move no statistic: create none before the last of these hosts has stopped.',
};

export class Migration20261127032312_statistics extends Migration {
  override name = 'Migration20261127032312_statistics';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "account_statistic_day" ("client_id" uuid not null, "account_id" uuid not null, "statistic_id" uuid not null, "period" int not null, "day" int not null, "events" int not null, primary key ("client_id", "account_id", "statistic_id", "period", "day"));`,
    );
    this.addSql(
      `create index "account_statistic_day_period" on "account_statistic_day" ("client_id", "statistic_id", "period", "account_id", "day");`,
    );

    this.addSql(
      `create table "account_statistic" ("client_id" uuid not null, "account_id" uuid not null, "statistic_id" uuid not null, "period" int not null, "aggregation" text not null, "value" numeric(20,4) not null, "last_at" timestamptz(3) null, "corrected" numeric(20,4) not null default '0', "base" numeric(20,4) null, "base_at" timestamptz(3) null, primary key ("client_id", "account_id", "statistic_id", "period"));`,
    );
    this.addSql(
      `create index "account_statistic_period" on "account_statistic" ("client_id", "statistic_id", "period", "account_id");`,
    );

    this.addSql(
      `create table "account_statistic_event" ("client_id" uuid not null, "batch_id" uuid not null, "entry" int not null, "statistic_id" uuid not null, "account_id" uuid not null, "period" int not null, "value" numeric(20,4) not null, "occurred_at" timestamptz(3) not null, primary key ("client_id", "batch_id", "entry", "statistic_id"));`,
    );
    this.addSql(
      `create index "account_statistic_event_value" on "account_statistic_event" ("client_id", "account_id", "statistic_id", "period", "occurred_at", "batch_id", "entry");`,
    );

    this.addSql(
      `create table "deleted_statistic" ("client_id" uuid not null, "statistic_id" uuid not null, "deleted_at" timestamptz(3) not null, primary key ("client_id", "statistic_id"));`,
    );

    this.addSql(
      `create table "statistic_definition" ("client_id" uuid not null, "id" uuid not null, "code" text collate "C" not null, "name" text not null, "description" text not null default '', "source" text not null, "programmatic_code" text collate "C" null, "aggregation" text not null, "period" text not null, "condition" text null, "version" int not null default 1, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("client_id", "id"));`,
    );
    this.addSql(
      `alter table "statistic_definition" add constraint "statistic_definition_code_unique" unique ("client_id", "code");`,
    );

    this.addSql(`alter table "journal_batch" add "statistic_ids" uuid[] null;`);

    this.addSql(`alter table "account_statistic_day" enable row level security;`);
    this.addSql(`alter table "account_statistic_day" force row level security;`);
    this.addSql(
      `create policy "own_client" on "account_statistic_day" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "account_statistic_day" to "laurel_system" using (true) with check (true);`,
    );

    this.addSql(
      `alter table "account_statistic" add constraint "account_statistic_aggregation_check" check ("aggregation" in ('COUNT', 'SUM', 'MAX', 'LAST', 'DAYS'));`,
    );
    this.addSql(`alter table "account_statistic" enable row level security;`);
    this.addSql(`alter table "account_statistic" force row level security;`);
    this.addSql(
      `create policy "own_client" on "account_statistic" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "account_statistic" to "laurel_system" using (true) with check (true);`,
    );

    this.addSql(`alter table "account_statistic_event" enable row level security;`);
    this.addSql(`alter table "account_statistic_event" force row level security;`);
    this.addSql(
      `create policy "own_client" on "account_statistic_event" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "account_statistic_event" to "laurel_system" using (true) with check (true);`,
    );

    this.addSql(`alter table "deleted_statistic" enable row level security;`);
    this.addSql(`alter table "deleted_statistic" force row level security;`);
    this.addSql(
      `create policy "own_client" on "deleted_statistic" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "deleted_statistic" to "laurel_system" using (true) with check (true);`,
    );

    this.addSql(
      `alter table "statistic_definition" add constraint "statistic_definition_source_check" check ("source" in ('EVENTS'));`,
    );
    this.addSql(
      `alter table "statistic_definition" add constraint "statistic_definition_aggregation_check" check ("aggregation" in ('COUNT', 'SUM', 'MAX', 'LAST', 'DAYS'));`,
    );
    this.addSql(
      `alter table "statistic_definition" add constraint "statistic_definition_period_check" check ("period" in ('ALL_TIME', 'DAY', 'WEEK', 'MONTH', 'YEAR'));`,
    );
    this.addSql(`alter table "statistic_definition" enable row level security;`);
    this.addSql(`alter table "statistic_definition" force row level security;`);
    this.addSql(
      `create policy "own_client" on "statistic_definition" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "statistic_definition" to "laurel_system" using (true) with check (true);`,
    );
    // PostgreSQL plans the statements of a client for the largest one.
    this.addSql(`alter table "deleted_statistic" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "statistic_definition" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "account_statistic_day" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "account_statistic" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "account_statistic_event" alter column "client_id" set (n_distinct = 1);`);
  }
}

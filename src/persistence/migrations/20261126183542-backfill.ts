import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.2.0 fail an import of type EVENTS, and forget which periods of a streak or a cap are settled: backfill nothing before the last of these hosts has stopped.',
};

/** Backfill: a setting of the client, and imports of events. */
export class Backfill extends Migration {
  override up(): void {
    this.addSql(
      `create table "csv_import_entry" ("client_id" uuid not null, "import_id" uuid not null, "position" bigint not null, "line" int not null, "entry_id" text not null, primary key ("client_id", "import_id", "position"));`,
    );

    this.addSql(
      `create table "csv_import_event" ("client_id" uuid not null, "import_id" uuid not null, "subject" text collate "C" not null, "occurred_at" bigint not null, "position" bigint not null, "line" int not null, "key" text not null, "trigger" bytea not null, primary key ("client_id", "import_id", "subject", "occurred_at", "position"));`,
    );

    this.addSql(`alter table "client" add "backfill_days_max" int not null default 0;`);

    this.addSql(`alter table "csv_import" drop constraint "csv_import_status_check";`);
    this.addSql(`alter table "csv_import" drop constraint "csv_import_type_check";`);
    this.addSql(
      `alter table "csv_import" add "rewards" text null, add "webhooks" boolean null, add "dry_run" boolean null, add "is_staged" boolean not null default false, add "summary" jsonb null, add "rows_reversed" int not null default 0, add "reversal_reason" text null;`,
    );
    this.addSql(
      `alter table "csv_import" add constraint "csv_import_rewards_check" check ("rewards" in ('NONE', 'POINTS', 'ALL'));`,
    );
    this.addSql(
      `alter table "csv_import" add constraint "csv_import_status_check" check ("status" in ('UPLOADING', 'QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED', 'REVERSING', 'REVERSED'));`,
    );
    this.addSql(
      `alter table "csv_import" add constraint "csv_import_type_check" check ("type" in ('ACCOUNTS', 'PRODUCT_CODES', 'EVENTS'));`,
    );

    this.addSql(`alter table "csv_import_entry" enable row level security;`);
    this.addSql(`alter table "csv_import_entry" force row level security;`);
    this.addSql(
      `create policy "own_client" on "csv_import_entry" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "csv_import_entry" to "laurel_system" using (true) with check (true);`,
    );

    this.addSql(`alter table "csv_import_event" enable row level security;`);
    this.addSql(`alter table "csv_import_event" force row level security;`);
    this.addSql(
      `create policy "own_client" on "csv_import_event" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "csv_import_event" to "laurel_system" using (true) with check (true);`,
    );

    // Planned for the largest client, as all tables are: docs/decisions/0046.
    this.addSql(`alter table "csv_import_entry" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "csv_import_event" alter column "client_id" set (n_distinct = 1);`);
  }
}

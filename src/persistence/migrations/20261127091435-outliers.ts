import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/** Accounts far above the usual: a setting of the client, and what the comparison found. */
export class Migration20261127091435_outliers extends Migration {
  override name = 'Migration20261127091435_outliers';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "account_outlier" ("client_id" uuid not null, "account_id" uuid not null, "measure" text not null, "hour" timestamptz(3) not null, "observed" numeric(20,4) not null, "usual" numeric(20,4) not null, primary key ("client_id", "account_id", "measure"));`,
    );
    this.addSql(`create index "account_outlier_latest" on "account_outlier" ("client_id", "hour");`);

    this.addSql(
      `create table "outlier_measurement" ("client_id" uuid not null, "hour" timestamptz(3) not null, primary key ("client_id"));`,
    );

    this.addSql(`alter table "client" add "outlier_threshold" int not null default 0;`);

    this.addSql(
      `alter table "account_outlier" add constraint "account_outlier_measure_check" check ("measure" in ('EVENTS', 'POINTS'));`,
    );
    this.addSql(`alter table "account_outlier" enable row level security;`);
    this.addSql(`alter table "account_outlier" force row level security;`);
    this.addSql(
      `create policy "own_client" on "account_outlier" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "account_outlier" to "laurel_system" using (true) with check (true);`);

    this.addSql(`alter table "outlier_measurement" enable row level security;`);
    this.addSql(`alter table "outlier_measurement" force row level security;`);
    this.addSql(
      `create policy "own_client" on "outlier_measurement" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "outlier_measurement" to "laurel_system" using (true) with check (true);`,
    );

    // Planned for the largest client, as all tables are: docs/decisions/0046.
    this.addSql(`alter table "account_outlier" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "outlier_measurement" alter column "client_id" set (n_distinct = 1);`);
  }
}

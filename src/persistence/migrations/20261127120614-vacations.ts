import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of earlier releases take the days of vacations for missed: set no `streaks.vacationDaysMax` of a client before the last of these hosts has stopped.',
};

export class Migration20261127120614_vacations extends Migration {
  override name = 'Migration20261127120614_vacations';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "vacation" ("client_id" uuid not null, "id" uuid not null, "account_id" uuid not null, "first_day" int not null, "last_day" int not null, "created_at" timestamptz(3) not null default now(), primary key ("client_id", "id"));`,
    );
    this.addSql(`create index "vacation_account" on "vacation" ("client_id", "account_id", "id");`);

    this.addSql(`alter table "vacation" enable row level security;`);
    this.addSql(`alter table "vacation" force row level security;`);
    this.addSql(
      `create policy "own_client" on "vacation" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "vacation" to "laurel_system" using (true) with check (true);`);
    // PostgreSQL plans the statements of a client for the largest one.
    this.addSql(`alter table "vacation" alter column "client_id" set (n_distinct = 1);`);
  }
}

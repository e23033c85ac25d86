import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts that run before this upgrade count neither points nor missions: create statistics of these sources afterwards.',
};

export class Migration20261127173401_statistic_sources extends Migration {
  override name = 'Migration20261127173401_statistic_sources';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "account_statistic_mission" ("client_id" uuid not null, "account_id" uuid not null, "statistic_id" uuid not null, "mission_id" uuid not null, "period_key" text collate "C" not null default '', "period" int not null, "rounds" int not null, primary key ("client_id", "account_id", "statistic_id", "mission_id", "period_key", "period"));`,
    );
    this.addSql(
      `create index "account_statistic_mission_period" on "account_statistic_mission" ("client_id", "statistic_id", "period", "account_id", "mission_id", "period_key");`,
    );

    this.addSql(`alter table "statistic_definition" drop constraint "statistic_definition_source_check";`);
    this.addSql(
      `alter table "statistic_definition" add constraint "statistic_definition_source_check" check ("source" in ('EVENTS', 'POINTS', 'MISSIONS'));`,
    );

    this.addSql(`alter table "account_statistic_mission" enable row level security;`);
    this.addSql(`alter table "account_statistic_mission" force row level security;`);
    this.addSql(
      `create policy "own_client" on "account_statistic_mission" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "account_statistic_mission" to "laurel_system" using (true) with check (true);`,
    );
    // PostgreSQL plans the statements of a client for the largest one.
    this.addSql(`alter table "account_statistic_mission" alter column "client_id" set (n_distinct = 1);`);
  }
}

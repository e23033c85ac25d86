import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of earlier releases pay no milestones, use no freezes, and show an endless streak with a target of 1,000,000,001: create none and set no `streaks` of a client before the last of these hosts has stopped.',
};

export class Migration20261127094942_lasting_streaks extends Migration {
  override name = 'Migration20261127094942_lasting_streaks';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "streak_freeze" ("client_id" uuid not null, "id" uuid not null, "account_id" uuid not null, "type" text not null, "amount" int not null, "at" timestamptz(3) not null, "mission_id" uuid null, "period" int null, "period_key" text null, "milestone" int null, "points" numeric(20,4) null, "operation_id" text collate "C" null, "reason" text null, "created_at" timestamptz(3) not null default now(), primary key ("client_id", "id"));`,
    );
    this.addSql(`create index "streak_freeze_account" on "streak_freeze" ("client_id", "account_id", "id");`);

    this.addSql(
      `create table "streak_risk" ("client_id" uuid not null, "account_id" uuid not null, "mission_id" uuid not null, "next_at" timestamptz(3) not null, "warned_period" int null, primary key ("client_id", "account_id", "mission_id"));`,
    );
    this.addSql(
      `create index "streak_risk_next" on "streak_risk" ("client_id", "next_at", "account_id", "mission_id");`,
    );

    this.addSql(`alter table "client" add "streak_settings" jsonb null;`);

    this.addSql(`alter table "earned_reward" add "milestone" int null;`);

    this.addSql(`alter table "mission" add "milestones" jsonb null;`);

    this.addSql(
      `alter table "streak_freeze" add constraint "streak_freeze_type_check" check ("type" in ('EARN', 'GRANT', 'BUY', 'USE', 'RETURN', 'REVERSE'));`,
    );
    this.addSql(`alter table "streak_freeze" enable row level security;`);
    this.addSql(`alter table "streak_freeze" force row level security;`);
    this.addSql(
      `create policy "own_client" on "streak_freeze" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "streak_freeze" to "laurel_system" using (true) with check (true);`);

    this.addSql(`alter table "streak_risk" enable row level security;`);
    this.addSql(`alter table "streak_risk" force row level security;`);
    this.addSql(
      `create policy "own_client" on "streak_risk" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "streak_risk" to "laurel_system" using (true) with check (true);`);
    // PostgreSQL plans the statements of a client for the largest one.
    this.addSql(`alter table "streak_freeze" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "streak_risk" alter column "client_id" set (n_distinct = 1);`);
  }
}

import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of earlier releases give no groups: activate no leaderboard with leagues before the last of these hosts has stopped.',
};

export class Migration20261127183900_leagues extends Migration {
  override name = 'Migration20261127183900_leagues';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "leaderboard_place" ("client_id" uuid not null, "account_id" uuid not null, "run_id" uuid not null, "league" int null, "group_number" int null, "outcome" text null, "final_rank" int null, "settled_at" timestamptz(3) null, primary key ("client_id", "account_id", "run_id"));`,
    );
    this.addSql(
      `create index "leaderboard_place_group" on "leaderboard_place" ("client_id", "run_id", "league", "group_number", "account_id");`,
    );
    this.addSql(
      `create index "leaderboard_place_waiting" on "leaderboard_place" ("client_id", "run_id", "account_id") where league is null;`,
    );
    this.addSql(
      `create index "leaderboard_place_settled" on "leaderboard_place" ("client_id", "account_id", "settled_at", "run_id") where settled_at is not null;`,
    );

    this.addSql(
      `create table "leaderboard_standing" ("client_id" uuid not null, "account_id" uuid not null, "leaderboard_id" uuid not null, "league" int not null, primary key ("client_id", "account_id", "leaderboard_id"));`,
    );
    this.addSql(
      `create index "leaderboard_standing_board" on "leaderboard_standing" ("client_id", "leaderboard_id", "account_id");`,
    );

    this.addSql(`alter table "leaderboard" add "leagues" jsonb null;`);

    this.addSql(
      `alter table "leaderboard_run" add "leagues" jsonb null, add "places" jsonb not null default '[]', add "settled_league" int not null default 0, add "settled_group" int not null default 0, add "promoted" int not null default 0, add "relegated" int not null default 0;`,
    );

    this.addSql(
      `alter table "leaderboard_place" add constraint "leaderboard_place_outcome_check" check ("outcome" in ('PROMOTED', 'RELEGATED', 'KEPT'));`,
    );
    this.addSql(`alter table "leaderboard_place" enable row level security;`);
    this.addSql(`alter table "leaderboard_place" force row level security;`);
    this.addSql(
      `create policy "own_client" on "leaderboard_place" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "leaderboard_place" to "laurel_system" using (true) with check (true);`,
    );

    this.addSql(`alter table "leaderboard_standing" enable row level security;`);
    this.addSql(`alter table "leaderboard_standing" force row level security;`);
    this.addSql(
      `create policy "own_client" on "leaderboard_standing" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "leaderboard_standing" to "laurel_system" using (true) with check (true);`,
    );
    // PostgreSQL plans the statements of a client for the largest one.
    this.addSql(`alter table "leaderboard_place" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "leaderboard_standing" alter column "client_id" set (n_distinct = 1);`);
  }
}

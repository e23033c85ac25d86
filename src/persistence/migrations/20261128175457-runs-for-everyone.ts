import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/** A run knows whether every account may enter it: a reversal locked each open run of its statistic, and read its leaderboard. */
export class Migration20261128175457_runs_for_everyone extends Migration {
  override name = 'Migration20261128175457_runs_for_everyone';

  override up(): void {
    this.addSql(`drop index "leaderboard_run_open";`);
    this.addSql(`alter table "leaderboard_run" add "is_for_everyone" boolean not null default false;`);
    this.addSql(
      `update "leaderboard_run" r set "is_for_everyone" = true from "leaderboard" b
        where b."client_id" = r."client_id" and b."id" = r."leaderboard_id" and b."audience_ids" = '{}';`,
    );
    this.addSql(
      `create index "leaderboard_run_for_everyone" on "leaderboard_run" ("client_id", "statistic_id", "period", "id") where status = 'OPEN' and is_for_everyone;`,
    );
  }
}

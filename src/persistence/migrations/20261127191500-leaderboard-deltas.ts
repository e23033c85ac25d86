import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/** A delta has all changes of a transaction. */
export class Migration20261127191500_leaderboard_deltas extends Migration {
  override name = 'Migration20261127191500_leaderboard_deltas';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "leaderboard_delta" add "scores_before" bigint[] not null default '{}', add "scores_after" bigint[] not null default '{}';`,
    );
    this.addSql(
      `update "leaderboard_delta" set "scores_before" = array["score_before"], "scores_after" = array["score_after"];`,
    );
    this.addSql(
      `alter table "leaderboard_delta" alter column "scores_before" drop default, alter column "scores_after" drop default, drop column "score_before", drop column "score_after";`,
    );
  }
}

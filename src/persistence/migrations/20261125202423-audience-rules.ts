import { Migration } from '@mikro-orm/migrations';
import { AUDIENCES_BY_EXPRESSION } from '../migrating/misjudged.ts';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'To hosts of 0.2.0 an audience of kind RULE has no accounts: create none before the last of these hosts has stopped.',
  misjudged: AUDIENCES_BY_EXPRESSION,
};

/** Audiences of kind RULE, with an expression. */
export class AudienceRules extends Migration {
  override up(): void {
    this.addSql(`alter table "audience" drop constraint "audience_kind_check";`);
    this.addSql(`alter table "audience" add "expression" text null;`);
    this.addSql(
      `alter table "audience" add constraint "audience_kind_check" check ("kind" in ('MANUAL', 'EVERYONE', 'RULE'));`,
    );
  }
}

import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/** Statistics that also count the events that the journal had at their creation. */
export class Migration20261128220600_past_events extends Migration {
  override name = 'Migration20261128220600_past_events';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "statistic_definition" add "counts_past_events" boolean not null default false, add "counted_since" timestamptz(3) null, add "fill_pass" int null, add "fill_until" timestamptz(3) null, add "fill_after_at" timestamptz(3) null, add "fill_after_id" uuid null, add "fill_due_at" timestamptz(3) null;`,
    );
  }
}

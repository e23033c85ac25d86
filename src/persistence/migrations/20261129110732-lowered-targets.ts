import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of earlier releases reverse events wrongly where a target was lowered: lower none before the last of these hosts has stopped.',
};

/** Missions whose target was lowered, with the accounts that have reached it already. */
export class Migration20261129110732_lowered_targets extends Migration {
  override name = 'Migration20261129110732_lowered_targets';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "mission" add "reached_due_at" timestamptz(3) null, add "reached_pass" int null, add "reached_after_id" uuid null;`,
    );
  }
}

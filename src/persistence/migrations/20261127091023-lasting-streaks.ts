import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of earlier releases pay no milestones, and show an endless streak with a target of 1,000,000,001: create none before the last of these hosts has stopped.',
};

export class Migration20261127091023_lasting_streaks extends Migration {
  override name = 'Migration20261127091023_lasting_streaks';

  override up(): void | Promise<void> {
    this.addSql(`alter table "earned_reward" add "milestone" int null;`);

    this.addSql(`alter table "mission" add "milestones" jsonb null;`);
  }
}

import { Migration } from '@mikro-orm/migrations';
import { CAMPAIGNS_WITH_CONTROL_GROUP } from '../migrating/misjudged.ts';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of earlier releases count the events of accounts that a campaign holds back: use no control group before the last of these hosts has stopped.',
  misjudged: CAMPAIGNS_WITH_CONTROL_GROUP,
};

/** The percentage of accounts that a campaign holds back; null for none. */
export class Migration20261128131401_control_groups extends Migration {
  override name = 'Migration20261128131401_control_groups';

  override up(): void {
    this.addSql(`alter table "campaign" add "control_group_percent" int null;`);
  }
}

import { Migration } from '@mikro-orm/migrations';
import { MISSIONS_WITH_LATER_CONDITIONS } from '../migrating/misjudged.ts';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.2.0 refuse attributes, and count events without regard to expressions and cooldowns: use them after the last of these hosts has stopped.',
  misjudged: MISSIONS_WITH_LATER_CONDITIONS,
};

/** The declared attributes of events. */
export class EventAttributes extends Migration {
  override up(): void {
    this.addSql(`alter table "event_definition" add "attributes" jsonb not null default '[]';`);
  }
}

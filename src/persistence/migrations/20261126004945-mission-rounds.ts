import { Migration } from '@mikro-orm/migrations';
import { MISSIONS_WITH_ROUNDS } from '../migrating/misjudged.ts';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.2.0 add up amounts where a mission counts events, and complete a mission that repeats once: create neither before the last of these hosts has stopped.',
  misjudged: MISSIONS_WITH_ROUNDS,
};

/** Missions that count events of AMOUNT codes, and missions that start again at each multiple of their target. */
export class MissionRounds extends Migration {
  override up(): void {
    this.addSql(`alter table "mission" add "counts" text null, add "repeat" jsonb null;`);
    this.addSql(`alter table "mission" add constraint "mission_counts_check" check ("counts" in ('EVENTS'));`);
  }
}

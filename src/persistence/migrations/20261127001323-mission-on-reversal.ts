import { Migration } from '@mikro-orm/migrations';
import { STRICT_MISSIONS } from '../migrating/misjudged.ts';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.2.0 forget the past periods of a STREAK that is STRICT: create none before the last of these hosts has stopped.',
  misjudged: STRICT_MISSIONS,
};

/** Streaks and routines whose past periods a reversal reaches. */
export class MissionOnReversal extends Migration {
  override up(): void {
    this.addSql(`alter table "mission" add "on_reversal" text null;`);
    this.addSql(
      `alter table "mission" add constraint "mission_on_reversal_check" check ("on_reversal" in ('STRICT'));`,
    );
  }
}

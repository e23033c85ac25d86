import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

export class Migration20261127185500_streak_looks_moved extends Migration {
  override name = 'Migration20261127185500_streak_looks_moved';

  override up(): void | Promise<void> {
    this.addSql(`alter table "client" add "streak_looks_moved" uuid null;`);
  }
}

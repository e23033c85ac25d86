import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/** Since when an import waits for a row in use or for a database that is away. */
export class ImportWaits extends Migration {
  override up(): void {
    this.addSql(`alter table "csv_import" add "waiting_since" timestamptz(3) null;`);
  }
}

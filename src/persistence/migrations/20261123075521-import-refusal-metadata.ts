import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/** The reasons of refused rows with their values apart, so that they can be told in other languages. */
export class ImportRefusalMetadata extends Migration {
  override up(): void {
    this.addSql(`alter table "csv_import_refusal" add "metadata" jsonb null;`);
  }
}

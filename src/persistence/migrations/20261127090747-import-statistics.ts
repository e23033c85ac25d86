import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of earlier releases fail an import of type STATISTICS: start none before the last of these hosts has stopped.',
};

export class Migration20261127090747_import_statistics extends Migration {
  override name = 'Migration20261127090747_import_statistics';

  override up(): void | Promise<void> {
    this.addSql(`alter table "csv_import" drop constraint "csv_import_type_check";`);
    this.addSql(
      `alter table "csv_import" add constraint "csv_import_type_check" check ("type" in ('ACCOUNTS', 'PRODUCT_CODES', 'EVENTS', 'STATISTICS'));`,
    );
  }
}

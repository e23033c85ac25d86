import { Migration } from '@mikro-orm/migrations';

/** What an operation id was used for. Rows of v0.1.0 keep none, and its hosts may go on writing rows without. */
export class OperationScope extends Migration {
  override up(): void {
    this.addSql(`alter table "operation" add column "scope" text null;`);
  }
}

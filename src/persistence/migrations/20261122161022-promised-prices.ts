import { Migration } from '@mikro-orm/migrations';

/** The price that a reservation was promised, what a spending drew, and what an operator marks as earned: docs/decisions/0049. */
export class PromisedPrices extends Migration {
  override up(): void {
    this.addSql(`alter table "point_entry" add "earned" boolean null, add "drawn" jsonb null;`);
    this.addSql(`alter table "reservation" add "points_cost" numeric(20,4) null;`);
  }
}

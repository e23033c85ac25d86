import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'A publication that is reserved at a host of 0.1.0 is sold at the price of the moment of the purchase.',
};

export const steps: readonly Step[] = [
  {
    sql: `alter table "point_entry"
      add column if not exists "earned" boolean null,
      add column if not exists "drawn" jsonb null`,
  },
];

/** The price that a reservation was promised, what a spending drew, and what an operator marks as earned: docs/decisions/0049. */
export class PromisedPrices extends Migration {
  override up(): void {
    this.addSql(`alter table "reservation" add "points_cost" numeric(20,4) null;`);
  }
}

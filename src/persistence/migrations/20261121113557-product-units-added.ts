import { Migration } from '@mikro-orm/migrations';
import { onEveryClient } from '../batching/on-every-client.ts';

/** Lets the stock of a product be recomputed: what was ever added, less what was handed out. */
export class ProductUnitsAdded extends Migration {
  override up(): void {
    this.addSql(`alter table "product" add "units_added" bigint not null default '0';`);
    // Products that exist have lost nothing: what they hold and what was redeemed is what was added.
    this.addSql(
      onEveryClient(`update product p set units_added = p.stock + coalesce(
        (select sum(r.quantity) from redemption r where r.client_id = p.client_id and r.product_id = p.id), 0)`),
    );
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Two more webhooks, and the units below which one of them is sent: docs/decisions/0057. */
export class WebhookTypes extends Migration {
  override up(): void {
    this.addSql(`alter table "product" add "low_stock_threshold" int null;`);
    for (const table of ['webhook_configuration', 'outbox_message', 'webhook_delivery']) {
      // Wider than before, so that every row satisfies it: the log may be long, and need not be read for that.
      this.addSql(`alter table "${table}"
        drop constraint "${table}_type_check",
        add constraint "${table}_type_check"
        check ("type" in ('REWARDS', 'PUBLICATION_STATUS', 'MISSION_COMPLETED', 'STOCK_LOW')) not valid;`);
    }
  }
}

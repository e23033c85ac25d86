import { Migration } from '@mikro-orm/migrations';

export class Migration20261123043919_traced_webhooks extends Migration {
  override name = 'Migration20261123043919_traced_webhooks';

  override up(): void | Promise<void> {
    this.addSql(`alter table "outbox_message" add "traceparent" text null;`);
  }
}

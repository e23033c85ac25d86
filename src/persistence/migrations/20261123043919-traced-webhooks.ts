import { Migration } from '@mikro-orm/migrations';

/** The span that wrote a webhook, so that its request belongs to the same trace. */
export class TracedWebhooks extends Migration {
  override up(): void {
    this.addSql(`alter table "outbox_message" add "traceparent" text null;`);
  }
}

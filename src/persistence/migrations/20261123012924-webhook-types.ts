import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.1.0 do not know the webhooks of missions and of stock: switch none on before the last of them has stopped.',
};

// One table at a time, as calls that hold one of them want another.
export const steps: readonly Step[] = ['webhook_configuration', 'outbox_message', 'webhook_delivery'].flatMap(
  (table) => [
    {
      sql: `alter table "${table}"
      drop constraint if exists "${table}_type_check",
      add constraint "${table}_type_check"
      check ("type" in ('REWARDS', 'PUBLICATION_STATUS', 'MISSION_COMPLETED', 'STOCK_LOW')) not valid`,
    },
    { validate: `${table}_type_check`, of: table },
  ],
);

/** Two more webhooks, and the units below which one of them is sent: docs/decisions/0057. */
export class WebhookTypes extends Migration {
  override up(): void {
    this.addSql(`alter table "product" add "low_stock_threshold" int null;`);
  }
}

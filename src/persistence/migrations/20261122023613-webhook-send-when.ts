import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/** Lets a client choose one rewards webhook per closing, once all of its rewards are settled. */
export class WebhookSendWhen extends Migration {
  override up(): void {
    this.addSql(`alter table "webhook_configuration" add "send_when" text null;`);
    this.addSql(
      `alter table "webhook_configuration" add constraint "webhook_configuration_send_when_check" check ("send_when" in ('EACH_DELIVERY', 'ALL_SETTLED'));`,
    );
  }
}

import { Migration } from '@mikro-orm/migrations';

/** The signing secret before the last rotation, with which requests are signed for a day more. */
export class WebhookRotation extends Migration {
  override up(): void {
    this.addSql(
      `alter table "webhook_configuration" add "former_secret_sealed" text null, add "former_secret_until" timestamptz(3) null;`,
    );
  }
}

import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.1.0 sign with the new secret only: rotate none before the last of them has stopped.',
};

/** The signing secret before the last rotation, with which requests are signed for a day more. */
export class WebhookRotation extends Migration {
  override up(): void {
    this.addSql(
      `alter table "webhook_configuration" add "former_secret_sealed" text null, add "former_secret_until" timestamptz(3) null;`,
    );
  }
}

import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

export const steps: readonly Step[] = [
  { index: 'outbox_message_receiver', on: 'outbox_message (client_id, configuration_id, id)' },
];

/** The messages of each receiver, so that one that is down does not delay the claims of others. */
export class WebhookReceivers extends Migration {
  override up(): void {}
}

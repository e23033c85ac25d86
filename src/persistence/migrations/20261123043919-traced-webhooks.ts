import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/** The span that wrote a webhook, so that its request belongs to the same trace. */
export const steps: readonly Step[] = [
  { sql: `alter table "outbox_message" add column if not exists "traceparent" text null` },
];

/** A webhook's request belongs to the trace of the event that caused it. */
export class TracedWebhooks extends Migration {
  override up(): void {
    // All of it is done in steps.
  }
}

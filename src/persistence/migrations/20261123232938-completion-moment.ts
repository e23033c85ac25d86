import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.1.0 go by its rules for late events: what they apply after the end of a campaign or during a pause is lost, and events from before an activation count there.',
};

export const steps: readonly Step[] = [
  { sql: `alter table "assignment" add column if not exists "completion_occurred_at" timestamptz(3) null` },
];

/** What a completed mission unlocks counts nothing that occurred before the event that completed it (docs/decisions/0053). */
export class CompletionMoment extends Migration {
  override up(): void {
    // All of it is done in steps.
  }
}

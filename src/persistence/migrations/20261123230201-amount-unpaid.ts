import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.1.0 pay rewards of points beyond 900,000,000,000 in a balance.',
};

export const steps: readonly Step[] = [
  { sql: `alter table "earned_reward" add column if not exists "amount_unpaid" numeric(20,4) null` },
];

/** An earned reward says what of its points the balance had no room for. */
export class AmountUnpaid extends Migration {
  override up(): void {
    // All of it is done in steps.
  }
}

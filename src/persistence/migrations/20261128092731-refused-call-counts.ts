import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

export const steps: readonly Step[] = [
  { sql: 'alter table "statistic_hour" add column if not exists "calls_refused" int not null default 0' },
];

/** The refused calls of an hour, for the overview. */
export class Migration20261128092731_refused_call_counts extends Migration {
  override name = 'Migration20261128092731_refused_call_counts';

  override up(): void {}
}

import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';
import { onEveryClient } from '../batching/on-every-client.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'When a campaign is paused or resumed, or a time zone changed, at a host of 0.1.0, is not kept.',
};

export const steps: readonly Step[] = [
  { sql: `alter table "account" add column if not exists "past_zones" jsonb null` },
];

/** Zones that accounts and clients had before, and when campaigns were paused: docs/decisions/0053. */
export class Calendars extends Migration {
  override up(): void {
    this.addSql(`alter table "campaign" add column if not exists "pauses" jsonb not null default '[]';`);
    this.addSql(`alter table "client" add column if not exists "past_zones" jsonb not null default '[]';`);
    // Since when a campaign has been paused nobody knows: from now on its clocks stand still.
    this.addSql(
      onEveryClient(`update campaign
          set pauses = jsonb_build_array(jsonb_build_object('from', (extract(epoch from now()) * 1000)::bigint))
        where status = 'PAUSED' and pauses = '[]'`),
    );
  }
}

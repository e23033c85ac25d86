import { Migration } from '@mikro-orm/migrations';
import { onEveryClient } from '../batching/on-every-client.ts';

/** Zones that accounts and clients had before, and when campaigns were paused: docs/decisions/0053. */
export class Calendars extends Migration {
  override up(): void {
    this.addSql(`alter table "account" add "past_zones" jsonb null;`);
    this.addSql(`alter table "campaign" add "pauses" jsonb not null default '[]';`);
    this.addSql(`alter table "client" add "past_zones" jsonb not null default '[]';`);
    // Since when a campaign has been paused nobody knows: from now on its clocks stand still.
    this.addSql(
      onEveryClient(`update campaign
          set pauses = jsonb_build_array(jsonb_build_object('from', (extract(epoch from now()) * 1000)::bigint))
        where status = 'PAUSED'`),
    );
  }
}

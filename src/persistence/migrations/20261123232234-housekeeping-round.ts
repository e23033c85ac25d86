import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/** What housekeeping knows of the clock from before: docs/decisions/0087. */
export class HousekeepingRound extends Migration {
  override up(): void {
    this.addSql(`create table "housekeeping_round" (
      "client_id" uuid not null,
      "last_round_at" timestamptz(3) not null,
      "confirmations" int not null default 0,
      "waited_ms" bigint not null default '0',
      "waited_at" timestamptz(3) null,
      "doubt" text null,
      "doubt_since" timestamptz(3) null,
      "doubt_seen_at" timestamptz(3) null,
      primary key ("client_id")
    );`);
    const own = `client_id = nullif(current_setting('laurel.client_id', true), '')::uuid`;
    this.addSql(`alter table "housekeeping_round" enable row level security;`);
    this.addSql(`alter table "housekeeping_round" force row level security;`);
    this.addSql(
      `create policy "own_client" on "housekeeping_round" to "laurel_app" using (${own}) with check (${own});`,
    );
    this.addSql(
      `create policy "every_client" on "housekeeping_round" to "laurel_system" using (true) with check (true);`,
    );
    this.addSql(`alter table "housekeeping_round" alter column client_id set (n_distinct = 1);`);
  }
}

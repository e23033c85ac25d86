import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

export const steps: readonly Step[] = [
  {
    sql: `alter table "trigger_inbox"
      add column if not exists "alone" text null,
      drop constraint if exists "trigger_inbox_alone_check",
      add constraint "trigger_inbox_alone_check" check ("alone" in ('WAITING', 'TRIED')) not valid`,
  },
  { validate: 'trigger_inbox_alone_check', of: 'trigger_inbox' },
  {
    index: 'trigger_inbox_alone',
    on: `"trigger_inbox" ("client_id", "id") where alone is not null and dead_at is null`,
  },
];

/** Which asynchronous events are being applied, and which are to be applied alone because a process died at them. */
export class AsyncAttempts extends Migration {
  override up(): void {
    this.addSql(`create table "trigger_batch" (
      "client_id" uuid not null,
      "id" uuid not null,
      "first_id" uuid not null,
      "last_id" uuid not null,
      "marked_at" timestamptz(3) not null,
      primary key ("client_id", "id")
    );`);
    // Not declared by the entities. A mark moves from batch to batch, in place.
    this.addSql(`alter table "trigger_batch" set (fillfactor = 50);`);

    const own = `client_id = nullif(current_setting('laurel.client_id', true), '')::uuid`;
    this.addSql(`alter table "trigger_batch" enable row level security;`);
    this.addSql(`alter table "trigger_batch" force row level security;`);
    this.addSql(`create policy "own_client" on "trigger_batch" to "laurel_app" using (${own}) with check (${own});`);
    this.addSql(`create policy "every_client" on "trigger_batch" to "laurel_system" using (true) with check (true);`);
  }
}

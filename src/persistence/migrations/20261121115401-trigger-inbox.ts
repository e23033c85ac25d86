import { Migration } from '@mikro-orm/migrations';

/** Events that were accepted and are applied later, and those of them that could not be. */
export class TriggerInbox extends Migration {
  override up(): void {
    this.addSql(`create table "trigger_inbox" (
      "client_id" uuid not null,
      "id" uuid not null,
      "programmatic_code" text not null,
      "account_id" text collate "C" not null,
      "id_type" text not null,
      "metadata" jsonb null,
      "operation_id" text collate "C" null,
      "occurred_at" timestamptz(3) not null,
      "accepted_at" timestamptz(3) not null,
      "attempts" int not null default 0,
      "not_before" timestamptz(3) null,
      "error_code" text null,
      "error_message" text null,
      "dead_at" timestamptz(3) null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "trigger_inbox_waiting"
      on "trigger_inbox" ("client_id", "id")
      where dead_at is null;`);
    this.addSql(`create index "trigger_inbox_dead"
      on "trigger_inbox" ("client_id", "dead_at", "id")
      where dead_at is not null;`);
    this.addSql(`create unique index "trigger_inbox_operation_unique"
      on "trigger_inbox" ("client_id", "operation_id")
      where operation_id is not null;`);
    this.addSql(`alter table "trigger_inbox"
      add constraint "trigger_inbox_id_type_check"
      check ("id_type" in ('EXTERNAL', 'INTERNAL'));`);

    const own = `client_id = nullif(current_setting('laurel.client_id', true), '')::uuid`;
    this.addSql(`alter table "trigger_inbox" enable row level security;`);
    this.addSql(`alter table "trigger_inbox" force row level security;`);
    this.addSql(`create policy "own_client" on "trigger_inbox" to "laurel_app" using (${own}) with check (${own});`);
    this.addSql(`create policy "every_client" on "trigger_inbox" to "laurel_system" using (true) with check (true);`);
  }
}

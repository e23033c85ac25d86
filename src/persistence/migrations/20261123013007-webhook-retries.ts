import { Migration } from '@mikro-orm/migrations';

/** Webhooks that are sent again when they fail, where their configuration says so. */
export class WebhookRetries extends Migration {
  override up(): void {
    this.addSql(
      `create table "webhook_retry" ("client_id" uuid not null, "id" uuid not null, "configuration_id" uuid not null, "type" text not null, "body" text not null, "attempts" int not null, "failed_retries" int not null default 0, "first_attempt_at" timestamptz(3) not null, "next_attempt_at" timestamptz(3) not null, "lease_until" timestamptz(3) null, "last_outcome" text not null, "last_status_code" int null, "last_error" text null, "created_at" timestamptz(3) not null default now(), primary key ("client_id", "id"));`,
    );
    this.addSql(
      `create index "webhook_retry_due" on "webhook_retry" ("client_id", "configuration_id", "next_attempt_at");`,
    );

    this.addSql(`alter table "webhook_configuration" add "retries" boolean not null default false;`);

    this.addSql(`alter table "webhook_delivery" add "retry" text null, add "retry_at" timestamptz(3) null;`);
    // The log may be large, and nothing in it has a value yet: not valid spares reading all of it under a lock.
    this.addSql(
      `alter table "webhook_delivery" add constraint "webhook_delivery_retry_check" check ("retry" in ('SCHEDULED', 'GONE', 'EXHAUSTED', 'BACKLOG_FULL', 'ENDED')) not valid;`,
    );

    this.addSql(
      `alter table "webhook_retry" add constraint "webhook_retry_last_outcome_check" check ("last_outcome" in ('REFUSED', 'TIMED_OUT', 'FAILED'));`,
    );
    this.addSql(`alter table "webhook_retry" enable row level security;`);
    this.addSql(`alter table "webhook_retry" force row level security;`);
    this.addSql(
      `create policy "own_client" on "webhook_retry" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "webhook_retry" to "laurel_system" using (true) with check (true);`);
    // Planned for the largest client, as all tables are: docs/decisions/0046.
    this.addSql(`alter table "webhook_retry" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "webhook_retry" set (fillfactor = 80);`);
  }
}

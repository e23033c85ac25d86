import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.1.0 send nothing again: what fails there is lost to the receiver, as before.',
};

export const steps: readonly Step[] = [
  {
    sql: `alter table "webhook_delivery"
      add column if not exists "retry" text null,
      add column if not exists "retry_at" timestamptz(3) null,
      drop constraint if exists "webhook_delivery_retry_check",
      add constraint "webhook_delivery_retry_check"
      check ("retry" in ('SCHEDULED', 'GONE', 'EXHAUSTED', 'BACKLOG_FULL', 'ENDED')) not valid`,
  },
  { validate: 'webhook_delivery_retry_check', of: 'webhook_delivery' },
];

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

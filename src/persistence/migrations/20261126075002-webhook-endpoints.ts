import { Migration } from '@mikro-orm/migrations';
import { WEBHOOK_ENDPOINTS } from '../migrating/misjudged.ts';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.2.0 announce nothing to webhook endpoints, and send their failed messages again to the webhook of the same type: create none before the last of these hosts has stopped.',
  misjudged: WEBHOOK_ENDPOINTS,
};

// One table at a time, as calls that hold one of them want another. Without the CHECK a new kind of change needs no migration.
export const steps: readonly Step[] = [
  { sql: `alter table "outbox_message" drop constraint if exists "outbox_message_type_check"` },
  {
    sql: `alter table "webhook_delivery"
      drop constraint if exists "webhook_delivery_type_check",
      add column if not exists "endpoint_id" uuid null`,
  },
];

/** Webhook endpoints, which receive several kinds of changes. */
export class WebhookEndpoints extends Migration {
  override up(): void {
    this.addSql(
      `create table "webhook_endpoint" ("client_id" uuid not null, "id" uuid not null, "name" text not null, "url" text not null, "types" text[] not null, "campaign_ids" uuid[] not null default '{}', "retries" boolean not null default true, "form" text not null, "signing_secret_sealed" text not null, "former_secret_sealed" text null, "former_secret_until" timestamptz(3) null, "version" int not null default 1, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("client_id", "id"));`,
    );
    this.addSql(
      `alter table "webhook_endpoint" add constraint "webhook_endpoint_form_check" check ("form" in ('PLAIN', 'CLOUD_EVENTS'));`,
    );
    this.addSql(`alter table "webhook_endpoint" enable row level security;`);
    this.addSql(`alter table "webhook_endpoint" force row level security;`);
    this.addSql(
      `create policy "own_client" on "webhook_endpoint" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "webhook_endpoint" to "laurel_system" using (true) with check (true);`,
    );
    // Planned for the largest client, as all tables are: docs/decisions/0046.
    this.addSql(`alter table "webhook_endpoint" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "webhook_endpoint" set (fillfactor = 80);`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Generated from the entities; forward only, because going back would lose rows. */
export class Tables extends Migration {
  override up(): void {
    this.addSql(`create table "account" (
      "client_id" uuid not null,
      "id" uuid not null,
      "external_id" text collate "C" null,
      "email" text null,
      "name" text null,
      "time_zone" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      "deleted_at" timestamptz(3) null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`create unique index "account_external_id_unique"
      on "account" ("client_id", "external_id")
      where deleted_at is null;`);

    this.addSql(`create table "assignment" (
      "client_id" uuid not null,
      "account_id" uuid not null,
      "mission_id" uuid not null,
      "period_key" text collate "C" not null default '',
      "id" uuid not null,
      "progress" numeric(20,4) not null,
      "status" text not null,
      "state" jsonb null,
      "started_at" timestamptz(3) not null,
      "completed_at" timestamptz(3) null,
      "updated_at" timestamptz(3) not null default now(),
      primary key ("client_id", "account_id", "mission_id", "period_key")
    );`);

    this.addSql(`create table "audience" (
      "client_id" uuid not null,
      "id" uuid not null,
      "name" text not null,
      "kind" text not null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      "deleted_at" timestamptz(3) null,
      primary key ("client_id", "id")
    );`);

    this.addSql(`create table "audience_member" (
      "client_id" uuid not null,
      "audience_id" uuid not null,
      "account_id" uuid not null,
      "joined_at" timestamptz(3) not null,
      primary key ("client_id", "audience_id", "account_id")
    );`);
    this.addSql(`create index "audience_member_account" on "audience_member" ("client_id", "account_id");`);

    this.addSql(`create table "campaign_completion" (
      "client_id" uuid not null,
      "account_id" uuid not null,
      "campaign_id" uuid not null,
      "completed_at" timestamptz(3) not null,
      "closed_at" timestamptz(3) null,
      primary key ("client_id", "account_id", "campaign_id")
    );`);

    this.addSql(`create table "campaign" (
      "client_id" uuid not null,
      "id" uuid not null,
      "name" text not null,
      "description" text not null default '',
      "status" text not null,
      "claim_policy" text not null,
      "audience_ids" uuid[] not null default '{}',
      "reward_ids" uuid[] not null default '{}',
      "starts_at" timestamptz(3) null,
      "ends_at" timestamptz(3) null,
      "activated_at" timestamptz(3) null,
      "ended_at" timestamptz(3) null,
      "version" int not null default 1,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);

    this.addSql(`create table "chest_definition" (
      "client_id" uuid not null,
      "id" uuid not null,
      "name" text not null,
      "entries" jsonb not null,
      "total_weight" int not null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);

    this.addSql(`create table "chest" (
      "client_id" uuid not null,
      "id" uuid not null,
      "account_id" uuid not null,
      "chest_id" uuid not null,
      "earned_reward_id" uuid not null,
      "created_at" timestamptz(3) not null default now(),
      "opened_at" timestamptz(3) null,
      "roll" jsonb null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "chest_account" on "chest" ("client_id", "account_id", "id");`);

    this.addSql(`create table "client" (
      "id" uuid not null,
      "name" text not null,
      "time_zone" text not null default 'UTC',
      "catalog_version" bigint not null default '0',
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      primary key ("id")
    );`);

    this.addSql(`create table "console_user" (
      "client_id" uuid not null,
      "id" uuid not null,
      "email" text not null,
      "name" text not null,
      "role" text not null,
      "password_hash" text not null,
      "created_at" timestamptz(3) not null default now(),
      "disabled_at" timestamptz(3) null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`create unique index "console_user_email_unique" on "console_user" ("client_id", lower("email"));`);

    this.addSql(`create table "credential" (
      "client_id" uuid not null,
      "id" uuid not null,
      "kind" text not null,
      "role" text not null,
      "name" text not null,
      "hash" bytea not null,
      "last_four" text not null,
      "created_at" timestamptz(3) not null default now(),
      "expires_at" timestamptz(3) null,
      "revoked_at" timestamptz(3) null,
      "last_used_at" timestamptz(3) null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`alter table "credential" add constraint "credential_hash_unique" unique ("client_id", "hash");`);

    this.addSql(`create table "earned_reward" (
      "client_id" uuid not null,
      "id" uuid not null,
      "account_id" uuid not null,
      "reward_id" uuid not null,
      "reward_type" text not null,
      "amount" numeric(20,4) not null,
      "status" text not null,
      "campaign_id" uuid null,
      "mission_id" uuid null,
      "assignment_id" uuid null,
      "product_id" uuid null,
      "redemption_id" uuid null,
      "queue_position" int null,
      "webhook_context" jsonb null,
      "created_at" timestamptz(3) not null default now(),
      "delivered_at" timestamptz(3) null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "earned_reward_account" on "earned_reward" ("client_id", "account_id", "id");`);
    this.addSql(`create unique index "earned_reward_queue"
      on "earned_reward" ("client_id", "product_id", "queue_position")
      where status = 'PENDING_STOCK';`);

    this.addSql(`create table "event_definition" (
      "client_id" uuid not null,
      "id" uuid not null,
      "programmatic_code" text collate "C" not null,
      "type" text not null,
      "name" text not null,
      "description" text not null default '',
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);
    this.addSql(`alter table "event_definition"
      add constraint "event_definition_code_unique" unique ("client_id", "programmatic_code");`);

    this.addSql(`create table "fragment_balance" (
      "client_id" uuid not null,
      "account_id" uuid not null,
      "product_id" uuid not null,
      "pieces" int not null,
      primary key ("client_id", "account_id", "product_id")
    );`);

    this.addSql(`create table "mission" (
      "client_id" uuid not null,
      "id" uuid not null,
      "campaign_id" uuid null,
      "audience_id" uuid null,
      "type" text not null,
      "name" text not null,
      "description" text not null default '',
      "image_url" text null,
      "programmatic_code" text collate "C" not null,
      "target" numeric(20,4) not null,
      "reward_ids" uuid[] not null default '{}',
      "conditions" jsonb not null default '{}',
      "period" text null,
      "per_period_target" numeric(20,4) null,
      "grace_periods" int not null default 0,
      "occurrences" int null,
      "starts_at" timestamptz(3) null,
      "ends_at" timestamptz(3) null,
      "duration_days" int null,
      "position" int not null default 0,
      "active" boolean not null default true,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "mission_campaign" on "mission" ("client_id", "campaign_id");`);

    this.addSql(`create table "operation" (
      "client_id" uuid not null,
      "id" text collate "C" not null,
      "fingerprint" bytea not null,
      "response" bytea null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "operation_created" on "operation" ("client_id", "created_at");`);

    this.addSql(`create table "outbox_message" (
      "client_id" uuid not null,
      "id" uuid not null,
      "configuration_id" uuid not null,
      "type" text not null,
      "body" text not null,
      "not_before" timestamptz(3) not null,
      "lease_until" timestamptz(3) null,
      "attempts" int not null default 0,
      "created_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);

    this.addSql(`create table "point_balance" (
      "client_id" uuid not null,
      "account_id" uuid not null,
      "available" numeric(20,4) not null default '0',
      "spent" numeric(20,4) not null default '0',
      "expired" numeric(20,4) not null default '0',
      "lifetime_earned" numeric(20,4) not null default '0',
      "next_expires_at" timestamptz(3) null,
      "last_entry_at" timestamptz(6) null,
      primary key ("client_id", "account_id")
    );`);

    this.addSql(`create table "point_entry" (
      "client_id" uuid not null,
      "id" uuid not null,
      "account_id" uuid not null,
      "type" text not null,
      "amount" numeric(20,4) not null,
      "balance_after" numeric(20,4) not null,
      "source_type" text null,
      "source_id" text null,
      "operation_id" text collate "C" null,
      "reason" text null,
      "created_at" timestamptz(6) not null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`alter table "point_entry"
      add constraint "point_entry_account" unique ("client_id", "account_id", "created_at");`);

    this.addSql(`create table "point_lot" (
      "client_id" uuid not null,
      "id" uuid not null,
      "account_id" uuid not null,
      "amount" numeric(20,4) not null,
      "remaining" numeric(20,4) not null,
      "expires_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "point_lot_spendable"
      on "point_lot" ("client_id", "account_id", "expires_at", "id")
      where remaining > 0;`);
    this.addSql(`create index "point_lot_expiring"
      on "point_lot" ("client_id", "expires_at")
      where remaining > 0 and expires_at is not null;`);

    this.addSql(`create table "product_code" (
      "client_id" uuid not null,
      "id" uuid not null,
      "product_id" uuid not null,
      "item_id" uuid not null,
      "code" text collate "C" not null,
      "redemption_id" uuid null,
      "redeemed_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "product_code_free"
      on "product_code" ("client_id", "product_id", "id")
      where redemption_id is null;`);
    this.addSql(`create index "product_code_redemption"
      on "product_code" ("client_id", "redemption_id")
      where redemption_id is not null;`);
    this.addSql(`alter table "product_code"
      add constraint "product_code_unique" unique ("client_id", "product_id", "code");`);

    this.addSql(`create table "product" (
      "client_id" uuid not null,
      "id" uuid not null,
      "name" text not null,
      "description" text not null default '',
      "stock_mode" text not null,
      "stock" int not null default 0,
      "waiting" int not null default 0,
      "fragments_required" int null,
      "points_cost" numeric(20,4) null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);

    this.addSql(`create table "product_item" (
      "client_id" uuid not null,
      "id" uuid not null,
      "product_id" uuid not null,
      "name" text not null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "product_item_product" on "product_item" ("client_id", "product_id");`);

    this.addSql(`create table "redemption" (
      "client_id" uuid not null,
      "id" uuid not null,
      "account_id" uuid not null,
      "product_id" uuid not null,
      "product_name" text not null,
      "source" text not null,
      "source_id" uuid null,
      "quantity" int not null,
      "points_spent" numeric(20,4) not null default '0',
      "status" text not null,
      "redeemables" jsonb not null default '[]',
      "created_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "redemption_account" on "redemption" ("client_id", "account_id", "id");`);

    this.addSql(`create table "reward" (
      "client_id" uuid not null,
      "id" uuid not null,
      "name" text not null,
      "type" text not null,
      "amount" numeric(20,4) not null,
      "product_id" uuid null,
      "chest_id" uuid null,
      "expires_in_days" int null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      primary key ("client_id", "id")
    );`);

    this.addSql(`create table "webhook_configuration" (
      "client_id" uuid not null,
      "type" text not null,
      "configuration_id" uuid not null,
      "endpoint" text not null,
      "method" text not null,
      "authentication_method_type" text null,
      "authentication_method_key" text null,
      "authentication_value_sealed" text null,
      "signing_secret_sealed" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      primary key ("client_id", "type")
    );`);

    this.addSql(`create table "webhook_delivery" (
      "client_id" uuid not null,
      "id" uuid not null,
      "message_id" uuid not null,
      "type" text not null,
      "attempt" int not null,
      "method" text not null,
      "target" text not null,
      "body" text null,
      "attempted_at" timestamptz(3) not null,
      "duration_ms" int not null,
      "outcome" text not null,
      "status_code" int null,
      "error" text null,
      "response_excerpt" text null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "webhook_delivery_message" on "webhook_delivery" ("client_id", "message_id");`);
    this.addSql(`alter table "account" enable row level security;`);
    this.addSql(`alter table "account" force row level security;`);
    this.addSql(`create policy "own_client"
      on "account" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "account" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "assignment"
      add constraint "assignment_status_check"
      check ("status" in ('ACTIVE', 'COMPLETED', 'EXPIRED'));`);
    this.addSql(`alter table "assignment" enable row level security;`);
    this.addSql(`alter table "assignment" force row level security;`);
    this.addSql(`create policy "own_client"
      on "assignment" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "assignment" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "audience"
      add constraint "audience_kind_check"
      check ("kind" in ('MANUAL', 'EVERYONE'));`);
    this.addSql(`alter table "audience" enable row level security;`);
    this.addSql(`alter table "audience" force row level security;`);
    this.addSql(`create policy "own_client"
      on "audience" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "audience" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "audience_member" enable row level security;`);
    this.addSql(`alter table "audience_member" force row level security;`);
    this.addSql(`create policy "own_client"
      on "audience_member" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "audience_member" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "campaign_completion" enable row level security;`);
    this.addSql(`alter table "campaign_completion" force row level security;`);
    this.addSql(`create policy "own_client"
      on "campaign_completion" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client"
      on "campaign_completion" to "laurel_system"
      using (true)
      with
      check (true);`);
    this.addSql(`alter table "campaign"
      add constraint "campaign_status_check"
      check ("status" in ('DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'));`);
    this.addSql(`alter table "campaign"
      add constraint "campaign_claim_policy_check"
      check ("claim_policy" in ('AUTOMATIC', 'EXPLICIT'));`);
    this.addSql(`alter table "campaign" enable row level security;`);
    this.addSql(`alter table "campaign" force row level security;`);
    this.addSql(`create policy "own_client"
      on "campaign" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "campaign" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "chest_definition"
      add constraint "chest_definition_weight_check"
      check (total_weight > 0);`);
    this.addSql(`alter table "chest_definition" enable row level security;`);
    this.addSql(`alter table "chest_definition" force row level security;`);
    this.addSql(`create policy "own_client"
      on "chest_definition" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client"
      on "chest_definition" to "laurel_system"
      using (true)
      with
      check (true);`);
    this.addSql(`alter table "chest"
      add constraint "chest_opened_with_roll"
      check ((opened_at is null) = (roll is null));`);
    this.addSql(`alter table "chest" enable row level security;`);
    this.addSql(`alter table "chest" force row level security;`);
    this.addSql(`create policy "own_client"
      on "chest" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "chest" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "client" enable row level security;`);
    this.addSql(`alter table "client" force row level security;`);
    this.addSql(`create policy "own_client"
      on "client" to "laurel_app"
      using (id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "client" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "console_user"
      add constraint "console_user_role_check"
      check ("role" in ('CLIENT_ADMIN', 'SERVICE_ADMIN'));`);
    this.addSql(`alter table "console_user" enable row level security;`);
    this.addSql(`alter table "console_user" force row level security;`);
    this.addSql(`create policy "own_client"
      on "console_user" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "console_user" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "credential"
      add constraint "credential_kind_check"
      check ("kind" in ('API_KEY', 'ACCESS_TOKEN'));`);
    this.addSql(`alter table "credential"
      add constraint "credential_role_check"
      check ("role" in ('INTEGRATOR', 'CLIENT_ADMIN', 'SERVICE_ADMIN'));`);
    this.addSql(`alter table "credential" enable row level security;`);
    this.addSql(`alter table "credential" force row level security;`);
    this.addSql(`create policy "own_client"
      on "credential" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "credential" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "earned_reward"
      add constraint "earned_reward_reward_type_check"
      check ("reward_type" in ('PRODUCTS', 'FRAGMENTS', 'POINTS', 'CHEST'));`);
    this.addSql(`alter table "earned_reward"
      add constraint "earned_reward_status_check"
      check ("status" in ('DELIVERED', 'PENDING_STOCK'));`);
    this.addSql(`alter table "earned_reward" enable row level security;`);
    this.addSql(`alter table "earned_reward" force row level security;`);
    this.addSql(`create policy "own_client"
      on "earned_reward" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "earned_reward" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "event_definition"
      add constraint "event_definition_type_check"
      check ("type" in ('SINGLE', 'AMOUNT'));`);
    this.addSql(`alter table "event_definition" enable row level security;`);
    this.addSql(`alter table "event_definition" force row level security;`);
    this.addSql(`create policy "own_client"
      on "event_definition" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client"
      on "event_definition" to "laurel_system"
      using (true)
      with
      check (true);`);
    this.addSql(`alter table "fragment_balance" add constraint "fragment_balance_not_negative" check (pieces >= 0);`);
    this.addSql(`alter table "fragment_balance" enable row level security;`);
    this.addSql(`alter table "fragment_balance" force row level security;`);
    this.addSql(`create policy "own_client"
      on "fragment_balance" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client"
      on "fragment_balance" to "laurel_system"
      using (true)
      with
      check (true);`);
    this.addSql(`alter table "mission"
      add constraint "mission_home_check"
      check (campaign_id is null or audience_id is null);`);
    this.addSql(`alter table "mission" add constraint "mission_target_check" check (target > 0);`);
    this.addSql(`alter table "mission"
      add constraint "mission_type_check"
      check ("type" in ('MISSION', 'CHALLENGE', 'STREAK', 'ROUTINE'));`);
    this.addSql(`alter table "mission"
      add constraint "mission_period_check"
      check ("period" in ('DAY', 'WEEK', 'MONTH'));`);
    this.addSql(`alter table "mission" enable row level security;`);
    this.addSql(`alter table "mission" force row level security;`);
    this.addSql(`create policy "own_client"
      on "mission" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "mission" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "operation" enable row level security;`);
    this.addSql(`alter table "operation" force row level security;`);
    this.addSql(`create policy "own_client"
      on "operation" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "operation" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "outbox_message"
      add constraint "outbox_message_type_check"
      check ("type" in ('REWARDS', 'PUBLICATION_STATUS'));`);
    this.addSql(`alter table "outbox_message" enable row level security;`);
    this.addSql(`alter table "outbox_message" force row level security;`);
    this.addSql(`create policy "own_client"
      on "outbox_message" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "outbox_message" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "point_balance" add constraint "point_balance_not_negative" check (available >= 0);`);
    this.addSql(`alter table "point_balance" enable row level security;`);
    this.addSql(`alter table "point_balance" force row level security;`);
    this.addSql(`create policy "own_client"
      on "point_balance" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "point_balance" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "point_entry"
      add constraint "point_entry_type_check"
      check ("type" in ('EARN', 'SPEND', 'EXPIRE', 'REFUND', 'ADJUST'));`);
    this.addSql(`alter table "point_entry" enable row level security;`);
    this.addSql(`alter table "point_entry" force row level security;`);
    this.addSql(`create policy "own_client"
      on "point_entry" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "point_entry" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "point_lot"
      add constraint "point_lot_remaining_check"
      check (remaining between 0 and amount);`);
    this.addSql(`alter table "point_lot" enable row level security;`);
    this.addSql(`alter table "point_lot" force row level security;`);
    this.addSql(`create policy "own_client"
      on "point_lot" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "point_lot" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "product_code" enable row level security;`);
    this.addSql(`alter table "product_code" force row level security;`);
    this.addSql(`create policy "own_client"
      on "product_code" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "product_code" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "product" add constraint "product_stock_not_negative" check (stock >= 0);`);
    this.addSql(`alter table "product" add constraint "product_waiting_not_negative" check (waiting >= 0);`);
    this.addSql(`alter table "product"
      add constraint "product_stock_mode_check"
      check ("stock_mode" in ('CODES', 'COUNTED', 'UNLIMITED'));`);
    this.addSql(`alter table "product" enable row level security;`);
    this.addSql(`alter table "product" force row level security;`);
    this.addSql(`create policy "own_client"
      on "product" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "product" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "product_item" enable row level security;`);
    this.addSql(`alter table "product_item" force row level security;`);
    this.addSql(`create policy "own_client"
      on "product_item" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "product_item" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "redemption" add constraint "redemption_quantity_check" check (quantity > 0);`);
    this.addSql(`alter table "redemption"
      add constraint "redemption_source_check"
      check ("source" in ('REWARD', 'FRAGMENTS', 'LOYALTY', 'MARKETPLACE'));`);
    this.addSql(`alter table "redemption"
      add constraint "redemption_status_check"
      check ("status" in ('COMPLETED', 'CANCELLED'));`);
    this.addSql(`alter table "redemption" enable row level security;`);
    this.addSql(`alter table "redemption" force row level security;`);
    this.addSql(`create policy "own_client"
      on "redemption" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "redemption" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "reward" add constraint "reward_amount_check" check (amount > 0);`);
    this.addSql(`alter table "reward"
      add constraint "reward_type_check"
      check ("type" in ('PRODUCTS', 'FRAGMENTS', 'POINTS', 'CHEST'));`);
    this.addSql(`alter table "reward" enable row level security;`);
    this.addSql(`alter table "reward" force row level security;`);
    this.addSql(`create policy "own_client"
      on "reward" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client" on "reward" to "laurel_system" using (true) with check (true);`);
    this.addSql(`alter table "webhook_configuration"
      add constraint "webhook_configuration_type_check"
      check ("type" in ('REWARDS', 'PUBLICATION_STATUS'));`);
    this.addSql(`alter table "webhook_configuration"
      add constraint "webhook_configuration_method_check"
      check ("method" in ('POST', 'PUT', 'PATCH', 'DELETE'));`);
    this.addSql(`alter table "webhook_configuration"
      add constraint "webhook_configuration_authentication_method_type_check"
      check ("authentication_method_type" in ('HEADER', 'QUERY_PARAM'));`);
    this.addSql(`alter table "webhook_configuration" enable row level security;`);
    this.addSql(`alter table "webhook_configuration" force row level security;`);
    this.addSql(`create policy "own_client"
      on "webhook_configuration" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client"
      on "webhook_configuration" to "laurel_system"
      using (true)
      with
      check (true);`);
    this.addSql(`alter table "webhook_delivery"
      add constraint "webhook_delivery_type_check"
      check ("type" in ('REWARDS', 'PUBLICATION_STATUS'));`);
    this.addSql(`alter table "webhook_delivery"
      add constraint "webhook_delivery_method_check"
      check ("method" in ('POST', 'PUT', 'PATCH', 'DELETE'));`);
    this.addSql(`alter table "webhook_delivery"
      add constraint "webhook_delivery_outcome_check"
      check ("outcome" in ('DELIVERED', 'REFUSED', 'TIMED_OUT', 'FAILED'));`);
    this.addSql(`alter table "webhook_delivery" enable row level security;`);
    this.addSql(`alter table "webhook_delivery" force row level security;`);
    this.addSql(`create policy "own_client"
      on "webhook_delivery" to "laurel_app"
      using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid)
      with
      check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`);
    this.addSql(`create policy "every_client"
      on "webhook_delivery" to "laurel_system"
      using (true)
      with
      check (true);`);
  }
}

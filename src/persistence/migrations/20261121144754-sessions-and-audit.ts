import { Migration } from '@mikro-orm/migrations';

/** Signing in to the console, and the log of what administrators change. */
export class SessionsAndAudit extends Migration {
  override up(): void {
    this.addSql(`alter table "console_user"
      add "password_temporary" boolean not null default false,
      add "failed_sign_ins" int not null default 0,
      add "locked_until" timestamptz(3) null,
      add "last_signed_in_at" timestamptz(3) null,
      add "updated_at" timestamptz(3) not null default now(),
      add "version" int not null default 1;`);

    this.addSql(`create table "console_session" (
      "client_id" uuid not null,
      "id" uuid not null,
      "user_id" uuid not null,
      "created_at" timestamptz(3) not null default now(),
      "expires_at" timestamptz(3) not null,
      "ended_at" timestamptz(3) null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "console_session_user" on "console_session" ("client_id", "user_id");`);
    this.addSql(`alter table "console_session" add constraint "console_session_user_id_fkey"
      foreign key ("client_id", "user_id") references "console_user" ("client_id", "id");`);

    this.addSql(`create table "console_token" (
      "client_id" uuid not null,
      "id" uuid not null,
      "session_id" uuid not null,
      "kind" text not null,
      "hash" bytea not null,
      "expires_at" timestamptz(3) not null,
      "replaced_at" timestamptz(3) null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "console_token_session" on "console_token" ("client_id", "session_id");`);
    this.addSql(`alter table "console_token"
      add constraint "console_token_hash_unique" unique ("client_id", "hash");`);
    this.addSql(`alter table "console_token"
      add constraint "console_token_kind_check" check ("kind" in ('ACCESS', 'REFRESH'));`);
    this.addSql(`alter table "console_token" add constraint "console_token_session_id_fkey"
      foreign key ("client_id", "session_id") references "console_session" ("client_id", "id") on delete cascade;`);

    this.addSql(`create table "audit_entry" (
      "client_id" uuid not null,
      "id" uuid not null,
      "created_at" timestamptz(3) not null default now(),
      "actor_type" text not null,
      "actor_id" uuid null,
      "actor_name" text not null,
      "operation" text not null,
      "resource_type" text not null,
      "resource_id" text null,
      "note" text null,
      "before" jsonb null,
      "after" jsonb null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`create index "audit_entry_resource"
      on "audit_entry" ("client_id", "resource_type", "resource_id", "id");`);
    this.addSql(`alter table "audit_entry"
      add constraint "audit_entry_actor_type_check"
      check ("actor_type" in ('USER', 'CREDENTIAL', 'COMMAND_LINE'));`);

    const own = `client_id = nullif(current_setting('laurel.client_id', true), '')::uuid`;
    for (const table of ['console_session', 'console_token', 'audit_entry']) {
      this.addSql(`alter table "${table}" enable row level security;`);
      this.addSql(`alter table "${table}" force row level security;`);
      this.addSql(`create policy "own_client" on "${table}" to "laurel_app" using (${own}) with check (${own});`);
      this.addSql(`create policy "every_client" on "${table}" to "laurel_system" using (true) with check (true);`);
    }
    // What has been written about a change stands; only housekeeping, which is the system's, clears what is old.
    this.addSql('revoke update, delete on table "audit_entry" from "laurel_app";');
  }
}

import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Failed sign-ins at hosts of 0.1.0 are not counted by the rules of this release.',
};

/** Failed sign-ins are counted by where they come from, known browsers apart, and each session tells of those before it. */
export class SignInAttempts extends Migration {
  override up(): void {
    this.addSql(`create table "console_device" (
      "client_id" uuid not null,
      "id" uuid not null,
      "user_id" uuid not null,
      "hash" bytea not null,
      "last_used_at" timestamptz(3) not null,
      primary key ("client_id", "id")
    );`);
    this.addSql(`alter table "console_device"
      add constraint "console_device_hash_unique" unique ("client_id", "user_id", "hash");`);
    this.addSql(`alter table "console_device" add constraint "console_device_user_id_fkey"
      foreign key ("client_id", "user_id") references "console_user" ("client_id", "id");`);

    this.addSql(`create table "sign_in_attempt" (
      "client_id" uuid not null,
      "subject" bytea not null,
      "source" bytea not null,
      "failures" int not null,
      "last_failed_at" timestamptz(3) not null,
      "forget_at" timestamptz(3) not null,
      primary key ("client_id", "subject", "source")
    );`);
    this.addSql(`create index "sign_in_attempt_forget" on "sign_in_attempt" ("client_id", "forget_at");`);

    this.addSql(`alter table "console_session"
      add "failed_before" int not null default 0,
      add "signed_in_before_at" timestamptz(3) null;`);

    const own = `client_id = nullif(current_setting('laurel.client_id', true), '')::uuid`;
    for (const table of ['console_device', 'sign_in_attempt']) {
      this.addSql(`alter table "${table}" enable row level security;`);
      this.addSql(`alter table "${table}" force row level security;`);
      this.addSql(`create policy "own_client" on "${table}" to "laurel_app" using (${own}) with check (${own});`);
      this.addSql(`create policy "every_client" on "${table}" to "laurel_system" using (true) with check (true);`);
    }
  }
}

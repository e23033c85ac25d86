import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'If a host of 0.1.0 removes an account from an audience, events that are applied later do not count, as in 0.1.0. Such a host never counts them.',
};

/** Memberships that have ended are kept while an event can come that occurred in them. */
export class FormerMemberships extends Migration {
  override up(): void | Promise<void> {
    this.addSql(
      `create table "former_membership" ("client_id" uuid not null, "account_id" uuid not null, "audience_id" uuid not null, "left_at" timestamptz(3) not null, "joined_at" timestamptz(3) not null, primary key ("client_id", "account_id", "audience_id", "left_at"));`,
    );
    this.addSql(`create index "former_membership_left" on "former_membership" ("client_id", "left_at");`);

    this.addSql(`alter table "former_membership" enable row level security;`);
    this.addSql(`alter table "former_membership" force row level security;`);
    this.addSql(
      `create policy "own_client" on "former_membership" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "former_membership" to "laurel_system" using (true) with check (true);`,
    );
    // Planned for the largest client, as all tables are: docs/decisions/0046.
    this.addSql(`alter table "former_membership" alter column "client_id" set (n_distinct = 1);`);
  }
}

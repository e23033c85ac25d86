import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of earlier releases accept no account tokens: issue none before the last of these hosts has stopped.',
};

export const steps: readonly Step[] = [
  { sql: 'alter table "account" add column if not exists "tokens_valid_from" timestamptz(3) null' },
  {
    index: 'account_tokens_revoked',
    on: '"account" ("tokens_valid_from") where tokens_valid_from is not null',
  },
];

export class Migration20261127184800_account_tokens extends Migration {
  override name = 'Migration20261127184800_account_tokens';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "account_token_key" ("client_id" uuid not null, "id" uuid not null, "public_key" jsonb not null, "private_key_sealed" text not null, "signs_from" timestamptz(3) not null, "created_at" timestamptz(3) not null default now(), primary key ("client_id", "id"));`,
    );

    this.addSql(`alter table "client" add "account_token_origins" text[] null;`);

    this.addSql(`alter table "account_token_key" enable row level security;`);
    this.addSql(`alter table "account_token_key" force row level security;`);
    this.addSql(
      `create policy "own_client" on "account_token_key" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "account_token_key" to "laurel_system" using (true) with check (true);`,
    );
    // PostgreSQL plans the statements of a client for the largest one.
    this.addSql(`alter table "account_token_key" alter column "client_id" set (n_distinct = 1);`);
  }
}

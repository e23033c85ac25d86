import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.1.0 clear old audit entries without regard to their chain: an export shows those as missing.',
};

/** The chain of the audit log: places of entries, and signed checkpoints that outlive them. */
export class AuditChain extends Migration {
  override up(): void {
    this.addSql(
      `create table "audit_checkpoint" ("client_id" uuid not null, "position" bigint not null, "hash" bytea not null, "created_at" timestamptz(3) not null default now(), "public_key" text not null, "signature" text not null, primary key ("client_id", "position"));`,
    );

    this.addSql(
      `create table "audit_seal" ("client_id" uuid not null, "position" bigint not null, "entry_id" uuid not null, "hash" bytea not null, primary key ("client_id", "position"));`,
    );
    this.addSql(`alter table "audit_seal" add constraint "audit_seal_entry_unique" unique ("client_id", "entry_id");`);

    this.addSql(`alter table "audit_checkpoint" enable row level security;`);
    this.addSql(`alter table "audit_checkpoint" force row level security;`);
    this.addSql(
      `create policy "own_client" on "audit_checkpoint" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "every_client" on "audit_checkpoint" to "laurel_system" using (true) with check (true);`,
    );

    this.addSql(`alter table "audit_seal" enable row level security;`);
    this.addSql(`alter table "audit_seal" force row level security;`);
    this.addSql(
      `create policy "own_client" on "audit_seal" to "laurel_app" using (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('laurel.client_id', true), '')::uuid);`,
    );
    this.addSql(`create policy "every_client" on "audit_seal" to "laurel_system" using (true) with check (true);`);
    // The service's jobs alone write the chain, and nobody changes it; what a checkpoint says stays.
    this.addSql('revoke insert, update, delete on table "audit_seal", "audit_checkpoint" from "laurel_app";');
    this.addSql('revoke update on table "audit_seal", "audit_checkpoint" from "laurel_system";');
    this.addSql('revoke delete on table "audit_checkpoint" from "laurel_system";');
    // Planned for the largest client, as all tables are: docs/decisions/0046.
    this.addSql(`alter table "audit_checkpoint" alter column "client_id" set (n_distinct = 1);`);
    this.addSql(`alter table "audit_seal" alter column "client_id" set (n_distinct = 1);`);
  }
}

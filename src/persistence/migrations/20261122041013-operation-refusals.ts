import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'A host of 0.1.0 neither keeps refusals nor sees those of others: while both serve, a late repeat of a refused operation id can take effect there. It takes effect once all the same.',
};

/** Refused operation ids are remembered, so that no attempt at the call takes effect that is older than the refusal. */
export class OperationRefusals extends Migration {
  override up(): void {
    this.addSql(`create table "operation_refusal" (
      "client_id" uuid not null,
      "operation_id" text collate "C" not null,
      "scope" text collate "C" not null,
      "refused_at" timestamptz(6) not null,
      primary key ("client_id", "operation_id", "scope")
    );`);
    this.addSql(`create index "operation_refusal_refused" on "operation_refusal" ("client_id", "refused_at");`);

    const own = `client_id = nullif(current_setting('laurel.client_id', true), '')::uuid`;
    this.addSql(`alter table "operation_refusal" enable row level security;`);
    this.addSql(`alter table "operation_refusal" force row level security;`);
    this.addSql(
      `create policy "own_client" on "operation_refusal" to "laurel_app" using (${own}) with check (${own});`,
    );
    this.addSql(
      `create policy "every_client" on "operation_refusal" to "laurel_system" using (true) with check (true);`,
    );
  }
}

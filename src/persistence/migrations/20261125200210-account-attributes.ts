import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/** Attributes of accounts, and their declaration for each client. */
export class AccountAttributes extends Migration {
  override up(): void {
    this.addSql(`alter table "account" add "attributes" jsonb null;`);
    this.addSql(
      `alter table "client" add "account_attributes" jsonb not null default '[]', add "account_attributes_version" int not null default 1;`,
    );
    // A view keeps the columns that its table had. Its owner replaces it, and must be allowed to create where it lies.
    this.addSql('grant create on schema public to laurel_system;');
    this.addSql('set local role laurel_system;');
    this.addSql(`create or replace view account_search as
      select * from account where client_id = nullif(current_setting('laurel.client_id', true), '')::uuid;`);
    this.addSql('reset role;');
    this.addSql('revoke create on schema public from laurel_system;');
  }
}

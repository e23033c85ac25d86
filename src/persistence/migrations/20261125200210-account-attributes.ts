import { Migration } from '@mikro-orm/migrations';
import { REPLACE_ACCOUNT_SEARCH } from '../migrating/account-search.ts';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/** Attributes of accounts, and their declaration for each client. */
export class AccountAttributes extends Migration {
  override up(): void {
    this.addSql(`alter table "account" add "attributes" jsonb null;`);
    this.addSql(
      `alter table "client" add "account_attributes" jsonb not null default '[]', add "account_attributes_version" int not null default 1;`,
    );
    this.addSql(REPLACE_ACCOUNT_SEARCH);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Lists of accounts in the order of what people look for. Only accounts that have such a value pay for it: those without
 * come last, and there by `id`. The order of external ids is that of the index that refuses a second one. What it costs:
 * docs/decisions/0069.
 */
export class AccountOrders extends Migration {
  override up(): void {
    for (const column of ['email', 'name']) {
      this.addSql(
        `create index account_${column}_order on account (client_id, ${column}, id) where ${column} is not null;`,
      );
    }
  }
}

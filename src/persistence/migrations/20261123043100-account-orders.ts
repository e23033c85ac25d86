import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/**
 * Lists of accounts in the order of what people look for. Only accounts that have such a value pay for it: those without
 * come last, and there by `id`. The order of external ids is that of the index that refuses a second one.
 */
export const steps: readonly Step[] = ['email', 'name'].map((column) => ({
  index: `account_${column}_order`,
  on: `account (client_id, ${column}, id) where ${column} is not null`,
}));

export class AccountOrders extends Migration {
  override up(): void {
    // All of it is done in steps.
  }
}

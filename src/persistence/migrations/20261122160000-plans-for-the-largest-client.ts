import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/**
 * PostgreSQL plans for a client of average size, and a walk through all rows of the client is the best plan for the average of
 * many small clients and one large one. Told that there is only one client, it plans for the one that ANALYZE finds most often:
 * the largest. Takes effect with the next ANALYZE of each table: docs/decisions/0046.
 */
export class PlansForTheLargestClient extends Migration {
  override up(): void {
    for (const table of TABLES) this.addSql(`alter table "${table}" alter column "client_id" set (n_distinct = 1);`);
  }
}

const TABLES = [
  ...['account', 'agreement', 'assignment', 'audience', 'audience_member'],
  ...['audit_entry', 'campaign', 'campaign_completion', 'chest', 'chest_definition'],
  ...['console_device', 'console_session', 'console_token', 'console_user', 'credential'],
  ...['csv_import', 'csv_import_chunk', 'csv_import_refusal', 'earned_reward', 'event_definition'],
  ...['fragment_balance', 'mission', 'operation', 'operation_refusal', 'outbox_message'],
  ...['point_balance', 'point_entry', 'point_lot', 'product', 'product_code'],
  ...['product_item', 'publication', 'redemption', 'reservation', 'reward'],
  ...['sign_in_attempt', 'statistic_hour', 'trigger_batch', 'trigger_inbox', 'webhook_configuration'],
  ...['webhook_delivery'],
];

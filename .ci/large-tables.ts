/**
 * Tables that can have millions of rows, or that nearly every call writes: a migration may lock them only for a moment. Add each table here
 * that grows with accounts or events; its module owns it (`table-owners.ts`).
 */
export const largeTables: readonly string[] = [
  'account',
  'assignment',
  'audience_member',
  'audit_entry',
  'audit_seal',
  'campaign_completion',
  'chest',
  'csv_import_chunk',
  'csv_import_refusal',
  'earned_reward',
  'former_membership',
  'fragment_balance',
  'journal_batch',
  'operation',
  'operation_refusal',
  'outbox_message',
  'point_balance',
  'point_entry',
  'point_lot',
  'product_code',
  'redemption',
  'reservation',
  'statistic_hour',
  'suspended_trigger',
  'trigger_inbox',
  'trigger_reversal',
  'webhook_delivery',
  'webhook_retry',
];

import { Migration } from '@mikro-orm/migrations';

/** What entities do not declare, by hand. */
export class References extends Migration {
  override up(): void {
    for (const [table, column, target] of REFERENCES) this.addSql(reference(table, column, target));
    for (const [table, percent] of UPDATED_IN_PLACE) this.addSql(`alter table ${table} set (fillfactor = ${percent});`);
    this.addSql('revoke update, delete on table point_entry from laurel_app;');
    // Clients come and go by provisioning, which sees all of them.
    this.addSql('revoke insert, delete on table client from laurel_app;');
  }
}

/**
 * Only between tables that administrators write. What events write has no foreign keys: each would lock the row it names
 * once more, and the event has locked and read it already.
 */
const REFERENCES = [
  ['credential', 'client_id', 'client'],
  ['console_user', 'client_id', 'client'],
  ['audience', 'client_id', 'client'],
  ['event_definition', 'client_id', 'client'],
  ['campaign', 'client_id', 'client'],
  ['mission', 'client_id', 'client'],
  ['product', 'client_id', 'client'],
  ['reward', 'client_id', 'client'],
  ['chest_definition', 'client_id', 'client'],
  ['webhook_configuration', 'client_id', 'client'],
  ['audience_member', 'audience_id', 'audience'],
  ['mission', 'campaign_id', 'campaign'],
  ['mission', 'audience_id', 'audience'],
  ['product_item', 'product_id', 'product'],
  ['product_code', 'product_id', 'product'],
  ['product_code', 'item_id', 'product_item'],
  ['reward', 'product_id', 'product'],
  ['reward', 'chest_id', 'chest_definition'],
] as const;

/** Percent of a page that inserts fill. The rest is for new versions of its rows, which then touch no index. */
const UPDATED_IN_PLACE = [
  ['assignment', 80],
  ['point_balance', 80],
  ['point_lot', 80],
  ['outbox_message', 80],
  ['product', 50],
  ['client', 50],
] as const;

function reference(table: string, column: string, target: string): string {
  const [own, theirs] = target === 'client' ? ['client_id', 'id'] : [`client_id, ${column}`, 'client_id, id'];
  return `alter table ${table} add constraint ${table}_${column}_fkey foreign key (${own}) references ${target} (${theirs});`;
}

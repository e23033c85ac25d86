import { Migration } from '@mikro-orm/migrations';
import { onEveryClient } from '../batching/on-every-client.ts';

/**
 * Rewards that wait for stock know how many units they need; of pieces, those that they make with what the account holds. Nothing
 * is delivered here: docs/decisions/0010.
 */
export class WaitingNeeds extends Migration {
  override up(): void {
    this.addSql(`alter table "earned_reward" add "units_needed" int null;`);
    this.addSql(
      onEveryClient(`update earned_reward e
          set units_needed = case when e.reward_type = 'FRAGMENTS'
                then floor((e.amount + coalesce((select f.pieces from fragment_balance f
                                                  where f.client_id = e.client_id and f.account_id = e.account_id
                                                    and f.product_id = e.product_id), 0)) / p.fragments_required)
                else e.amount
              end
         from product p
        where p.client_id = e.client_id and p.id = e.product_id and e.status = 'PENDING_STOCK'`),
    );
    this.addSql(
      `create index "earned_reward_needs" on "earned_reward" ("client_id", "product_id", "units_needed", "queue_position") where status = 'PENDING_STOCK';`,
    );
    this.addSql(
      `create index "earned_reward_waiting" on "earned_reward" ("client_id", "account_id", "product_id") where status = 'PENDING_STOCK';`,
    );
  }
}

import { Migration } from '@mikro-orm/migrations';
import { type Compatibility, PRODUCTS_WITH_STOCK, type Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: false,
  reason:
    'Rewards that wait for stock are kept by hosts of 0.1.0 without the units that they need, and would not be served.',
  onlyIf: `exists (select from product where stock_mode <> 'UNLIMITED')`,
  inTheWay: PRODUCTS_WITH_STOCK,
  otherwise: 'Every product is UNLIMITED, so nothing waits for stock.',
};

export const steps: readonly Step[] = [
  { sql: `alter table "earned_reward" add column if not exists "units_needed" int null` },
  {
    index: 'earned_reward_needs',
    on: `"earned_reward" ("client_id", "product_id", "units_needed", "queue_position") where status = 'PENDING_STOCK'`,
  },
  {
    index: 'earned_reward_waiting',
    on: `"earned_reward" ("client_id", "account_id", "product_id") where status = 'PENDING_STOCK'`,
  },
  {
    slices: `update earned_reward e
        set units_needed = w.units
       from (select e.client_id, e.id, case when e.reward_type = 'FRAGMENTS'
                 then floor((e.amount + coalesce((select f.pieces from fragment_balance f
                                                   where f.client_id = e.client_id and f.account_id = e.account_id
                                                     and f.product_id = e.product_id), 0)) / p.fragments_required)
                 else e.amount
               end as units
               from earned_reward e
               join product p on p.client_id = e.client_id and p.id = e.product_id
              where e.status = 'PENDING_STOCK' and e.units_needed is null
              limit 5000) w
      where e.client_id = w.client_id and e.id = w.id and w.units is not null`,
  },
];

/**
 * Rewards that wait for stock know how many units they need; of pieces, those that they make with what the account holds. Nothing
 * is delivered here: docs/decisions/0010.
 */
export class WaitingNeeds extends Migration {
  override up(): void {
    // All of it is done in steps.
  }
}

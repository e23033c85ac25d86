import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/**
 * Who is behind a number: the accounts of a campaign in their order, who earned a reward, where a product's units went. The
 * first two take the place of indexes that had the same columns but the last.
 */
export const steps: readonly Step[] = [
  { index: 'assignment_mission_account', on: 'assignment (client_id, mission_id, account_id)' },
  { sql: 'drop index if exists assignment_mission' },
  { index: 'campaign_completion_account', on: 'campaign_completion (client_id, campaign_id, account_id)' },
  { sql: 'drop index if exists campaign_completion_campaign' },
  { index: 'earned_reward_reward', on: 'earned_reward (client_id, reward_id, id)' },
  { index: 'redemption_product', on: 'redemption (client_id, product_id, id)' },
];

export class CampaignLeads extends Migration {
  override up(): void {
    // All of it is done in steps.
  }
}

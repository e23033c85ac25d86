import { Migration } from '@mikro-orm/migrations';
import { REWARDS_BY_EXPRESSION } from '../migrating/misjudged.ts';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.2.0 pay the maximum of a reward whose amount is an expression: create none before the last of these hosts has stopped.',
  misjudged: REWARDS_BY_EXPRESSION,
};

/** Rewards of points whose amounts are expressions. */
export class RewardFormulas extends Migration {
  override up(): void {
    this.addSql(`alter table "reward" add "amount_expression" text null;`);
  }
}

import { Migration } from '@mikro-orm/migrations';
import type { Compatibility, Step } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.2.0 cannot read a reward of the type BADGE: create none before the last of these hosts has stopped.',
};

export const steps: readonly Step[] = [
  {
    sql: `alter table "earned_reward"
      drop constraint if exists "earned_reward_reward_type_check",
      add constraint "earned_reward_reward_type_check"
      check ("reward_type" in ('PRODUCTS', 'FRAGMENTS', 'POINTS', 'CHEST', 'BADGE')) not valid`,
  },
  { validate: 'earned_reward_reward_type_check', of: 'earned_reward' },
  {
    index: 'earned_reward_once',
    on: `"earned_reward" ("client_id", "reward_id", "account_id") where reward_type in ('BADGE') and amount_reversed is null`,
  },
];

/** Badges, the counts of who has them, and the setting for the rewards webhook. */
export class Badges extends Migration {
  override up(): void {
    this.addSql(`alter table "client" add "badges_in_rewards_webhook" boolean not null default false;`);
    this.addSql(`alter table "reward" drop constraint "reward_type_check";`);
    this.addSql(
      `alter table "reward" add "image_url" text null, add "description" text null, add "secret" boolean null, add "owners" int null, add "accounts_counted" int null, add "counted_at" timestamptz(3) null;`,
    );
    this.addSql(`create index "reward_once" on "reward" ("client_id", "id") where type in ('BADGE');`);
    this.addSql(
      `alter table "reward" add constraint "reward_type_check" check ("type" in ('PRODUCTS', 'FRAGMENTS', 'POINTS', 'CHEST', 'BADGE'));`,
    );
  }
}

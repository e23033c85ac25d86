import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'People who are signed in to the console have to sign in again, and while hosts of both releases serve, once more whenever the balancer takes them to a host of the other.',
};

/**
 * A session has one chain of cookies, each readable from the one before. Sessions that began before have none and were kept
 * in cookies of another name, so they end here: people sign in again.
 */
export class SessionChain extends Migration {
  override up(): void {
    this.addSql(`alter table "console_token" add "successor" text null;`);
    // The owner of the tables sees no rows under row-level security.
    this.addSql(`set local role laurel_system;`);
    this.addSql(`update console_session set ended_at = now() where ended_at is null;`);
    this.addSql(`set local role none;`);
  }
}

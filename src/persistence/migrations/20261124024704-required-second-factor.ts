import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.1.0 do not enforce a second factor that a client requires: require none before the last of them has stopped. Who signed in at a provider by them signs in again then.',
};

/** A client may require a second factor, and a session tells whether a provider vouched for the person. */
export class RequiredSecondFactor extends Migration {
  override up(): void | Promise<void> {
    this.addSql(`alter table "client" add "require_second_factor" boolean not null default false;`);
    this.addSql(`alter table "console_session" add "by_provider" boolean not null default false;`);
  }
}

import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.1.0 do not know the roles VIEWER, SUPPORT and MARKETER: give them to nobody before the last of them has stopped.',
};

/** What a session list shows, and the roles of those who may do less than an administrator. */
export class RolesAndSessions extends Migration {
  override up(): void | Promise<void> {
    this.addSql(
      `alter table "console_session" add "user_agent" text null, add "address" text null, add "last_used_at" timestamptz(3) null;`,
    );

    this.addSql(`alter table "console_user" drop constraint "console_user_role_check";`);
    this.addSql(
      `alter table "console_user" add constraint "console_user_role_check" check ("role" in ('CLIENT_ADMIN', 'SERVICE_ADMIN', 'VIEWER', 'SUPPORT', 'MARKETER'));`,
    );
  }
}

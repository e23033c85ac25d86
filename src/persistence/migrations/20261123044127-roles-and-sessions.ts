import { Migration } from '@mikro-orm/migrations';

export class Migration20261123044127_roles_and_sessions extends Migration {
  override name = 'Migration20261123044127_roles_and_sessions';

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

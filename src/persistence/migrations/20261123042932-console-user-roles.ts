import { Migration } from '@mikro-orm/migrations';

export class Migration20261123042932_console_user_roles extends Migration {
  override name = 'Migration20261123042932_console_user_roles';

  override up(): void | Promise<void> {
    this.addSql(`alter table "console_user" drop constraint "console_user_role_check";`);
    this.addSql(
      `alter table "console_user" add constraint "console_user_role_check" check ("role" in ('CLIENT_ADMIN', 'SERVICE_ADMIN', 'VIEWER', 'SUPPORT', 'MARKETER'));`,
    );
  }
}

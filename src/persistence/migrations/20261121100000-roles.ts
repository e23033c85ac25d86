import { Migration } from '@mikro-orm/migrations';
import { createRole, schemaRights, SERVICE_ROLES } from '../postgres/service-roles.ts';

/**
 * The roles that units of work run under. `laurel roles` runs the same SQL, on a new server before a restore.
 *
 * Roles belong to the cluster and not to the database, so that another database's migration may create them at the same
 * moment; whoever comes second takes what is there.
 */
export class Roles extends Migration {
  override up(): void {
    for (const role of SERVICE_ROLES) {
      this.addSql(createRole(role));
      // Tables of later migrations get the same rights, as long as the same login migrates.
      for (const sql of schemaRights(role)) this.addSql(sql);
    }
    this.addSql(`revoke all on table migration from laurel_app, laurel_system;`);
  }
}

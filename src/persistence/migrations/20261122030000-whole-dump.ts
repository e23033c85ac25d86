import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = { rolling: true };

/**
 * One row that only a dump past row-level security holds. A login that the policies bind dumps no row of any table with
 * `pg_dump --enable-row-security`, and says nothing: where this row is missing after a restore, so is everything else.
 */
export class WholeDump extends Migration {
  override up(): void {
    this.addSql(`create table whole_dump (id int primary key default 1 check (id = 1));`);
    // Before the policies, which bind the owner of the table as well.
    this.addSql(`insert into whole_dump default values;`);
    this.addSql(`alter table whole_dump enable row level security;`);
    this.addSql(`alter table whole_dump force row level security;`);
    this.addSql(`create policy every_client on whole_dump for select to laurel_system using (true);`);
    this.addSql(`revoke all on whole_dump from laurel_app, laurel_system;`);
    this.addSql(`grant select on whole_dump to laurel_system;`);
  }
}

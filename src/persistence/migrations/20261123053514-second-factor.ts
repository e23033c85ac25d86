import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'Hosts of 0.1.0 do not ask for a second factor: switch none on before the last of them has stopped.',
};

/** A second factor of the people who sign in by password. */
export class SecondFactor extends Migration {
  override up(): void | Promise<void> {
    this.addSql(
      `alter table "console_user" add "second_factor_sealed" text null, add "second_factor_at" timestamptz(3) null, add "second_factor_step" int null, add "recovery_code_hashes" text null;`,
    );
  }
}

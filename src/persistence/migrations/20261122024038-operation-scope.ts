import { Migration } from '@mikro-orm/migrations';
import type { Compatibility } from '../migrating/step.ts';

export const compatibility: Compatibility = {
  rolling: true,
  note: 'An operation id that a host of 0.1.0 used is kept without what it was used for: while hosts of both serve, and for such ids later, the same id sent to another operation is not told apart by it. Ids that are used for one thing, as the contract asks, are not concerned.',
};

/** What an operation id was used for. Rows of v0.1.0 keep none, and its hosts may go on writing rows without. */
export class OperationScope extends Migration {
  override up(): void {
    this.addSql(`alter table "operation" add column "scope" text null;`);
  }
}

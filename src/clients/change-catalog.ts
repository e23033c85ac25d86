import type { DescMessage, DescMethod, MessageInitShape } from '@bufbuild/protobuf';
import { recordChange } from '../audit/record-change.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { bumpCatalogVersion, lockCatalog } from './catalog-version.ts';
import type { Principal } from './principal.ts';

/** An operation that changes the client's definitions, and the message that shows what it changes. */
export type CatalogChange<Schema extends DescMessage> = { readonly operation: DescMethod; readonly schema: Schema };

/** The result. */
export type Changed<Schema extends DescMessage> = {
  /** UUID or programmatic code of what was changed. */
  readonly id?: string;
  /** Left out where it was created. */
  readonly before?: MessageInitShape<Schema>;
  /** Left out where it was removed. */
  readonly after?: MessageInitShape<Schema>;
  /** Further facts that the two do not show. */
  readonly note?: string;
  /** It was so already: nothing is recorded, and no process reads the definitions again. */
  readonly unchanged?: boolean;
};

/**
 * Changes the client's definitions in one transaction: it locks the catalogue, so that the checks of `work` (for
 * example, that a reward is unused) still hold at the commit. It makes every process read the definitions again before
 * its next batch, and adds the change to the audit log.
 * @param principal who calls, and whose client's definitions are changed
 * @param work makes the change, and flushes it
 * @returns what `work` gave
 * @throws DomainError `CLIENT_NOT_FOUND`, and what `work` throws
 */
export function changeCatalog<Schema extends DescMessage, Result extends Changed<Schema>>(
  db: Database,
  principal: Principal,
  { operation, schema }: CatalogChange<Schema>,
  work: (uow: UnitOfWork) => Promise<Result>,
): Promise<Result> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    // Statements run in the order in which they are sent, so those of `work` need not wait for the answer. Of several that fail
    // the error of the first is told: the others only say that the transaction is aborted.
    const [, result] = await Promise.all([lockCatalog(uow), work(uow)]);
    if (result.unchanged) return result;
    const { id, before, after, note } = result;
    await Promise.all([
      bumpCatalogVersion(uow),
      recordChange(uow, principal, { operation, schema, id, before, after, note }),
    ]);
    return result;
  });
}

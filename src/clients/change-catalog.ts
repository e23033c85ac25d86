import type { DescMessage, DescMethod, MessageInitShape } from '@bufbuild/protobuf';
import { recordChange } from '../audit/record-change.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { bumpCatalogVersion, lockCatalog } from './catalog-version.ts';
import type { Principal } from './principal.ts';

/** An operation on the client's definitions, and the message of the changed resource. */
export type CatalogChange<Schema extends DescMessage> = { readonly operation: DescMethod; readonly schema: Schema };

/** The result of a change. */
export type Changed<Schema extends DescMessage> = {
  /** UUID or programmatic code of the changed resource. */
  readonly id?: string;
  /** Left out for a creation. */
  readonly before?: MessageInitShape<Schema>;
  /** Left out for a removal. */
  readonly after?: MessageInitShape<Schema>;
  /** Further facts for the audit log. */
  readonly note?: string;
  /** The resource had this state already: no audit entry is added, and no process reads the definitions again. */
  readonly unchanged?: boolean;
};

/**
 * Changes the client's definitions in one transaction: it locks the catalogue, so that the checks of `work` (for example, that a reward is
 * unused) still hold at the commit. It makes every process read the definitions again before its next batch, and adds the change to the
 * audit log.
 * @param principal the caller; its client's definitions are changed
 * @param work makes the change, and flushes it
 * @returns the result of `work`
 * @throws DomainError `CLIENT_NOT_FOUND`, and the errors of `work`
 */
export function changeCatalog<Schema extends DescMessage, Result extends Changed<Schema>>(
  db: Database,
  principal: Principal,
  { operation, schema }: CatalogChange<Schema>,
  work: (uow: UnitOfWork) => Promise<Result>,
): Promise<Result> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    // Statements run in the order of sending, so those of `work` need not wait for the lock. If several fail, the first error is thrown:
    // the others only say that the transaction is aborted.
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

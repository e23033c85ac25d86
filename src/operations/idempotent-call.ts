import { create, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { principalOf } from '../clients/principal.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { once, type OperationKey } from './once.ts';
import { OperationTaken } from './operation-taken.ts';

/**
 * Runs a call that takes effect once for its operation and id, in one transaction of its own. The stored answer of an earlier
 * call carries the header `Idempotency-Replayed: true`.
 * @throws DomainError as {@link once} does, and whatever `work` throws; then nothing is stored, the id included
 */
export async function idempotentCall<S extends DescMessage>(
  db: Database,
  context: Pick<HandlerContext, 'values' | 'responseHeader'>,
  key: OperationKey,
  response: { readonly schema: S; readonly now: Date },
  work: (uow: UnitOfWork) => Promise<MessageInitShape<S>>,
): Promise<MessageShape<S>> {
  const { clientId } = principalOf(context);
  const attempt = () =>
    db.unitOfWork(clientId, (uow) => once(uow, key, response, async () => create(response.schema, await work(uow))));
  const { message, replayed } = await attempt().catch((error: unknown) => {
    // The first call committed between our look and our lock, so its answer is there now.
    if (error instanceof OperationTaken) return attempt();
    throw error;
  });
  if (replayed) context.responseHeader.set('Idempotency-Replayed', 'true');
  return message;
}

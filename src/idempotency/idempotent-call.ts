import { create, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import type { Call } from '../clients/call.ts';
import { receivedAtKey } from '../kernel/time/received-at.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { databaseUnavailable } from '../persistence/connections/failures.ts';
import { attemptsOf, isRefusal } from './attempts.ts';
import { once, type OnceResult, operationInProgress, type OperationKey, refuse } from './once.ts';
import { OperationTaken } from './operation-taken.ts';

/** The most attempts of a call when another call with the same id interferes. */
const ROUNDS = 3;

/**
 * Runs a call that takes effect once for its operation and id, in its own transaction. The stored answer of an earlier call carries the
 * header `Idempotency-Replayed: true`. A refusal is not stored, so that a later call may succeed; an attempt that arrived before the
 * refusal may not: docs/decisions/0021.
 * @throws DomainError as {@link once} does, and the errors of `work`; then no row is stored, not even the id
 */
export async function idempotentCall<S extends DescMessage>(
  call: Call,
  key: OperationKey,
  schema: S,
  work: (uow: UnitOfWork) => Promise<MessageInitShape<S>>,
): Promise<MessageShape<S>> {
  const { db, context, now } = call;
  const { clientId } = call.principal;
  const attempts = attemptsOf(context.values.get(receivedAtKey) ?? performance.now());
  let runs = 0;
  let failure: unknown;

  /** Errors of `work` are distinguished from errors of the operation id. */
  async function worked(uow: UnitOfWork): Promise<MessageShape<S>> {
    try {
      return create(schema, await work(uow));
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  function attempt(): Promise<OnceResult<MessageShape<S>>> {
    return db.unitOfWork(clientId, (uow) => {
      runs += 1;
      // The caller would never see the effect of a repetition.
      if (runs > 1 && context.signal.aborted) throw databaseUnavailable(new Error('The caller has gone.'));
      return once(uow, key, { schema, now, attempts }, () => worked(uow));
    });
  }

  for (let round = 1; ; round += 1) {
    try {
      const { message, replayed } = await attempt();
      if (replayed) call.markReplayed();
      return message;
    } catch (error) {
      // The first call committed between our look-up and our lock, so its answer is stored now.
      if (error instanceof OperationTaken && round === 1) continue;
      if (key.operationId === '' || error !== failure || !isRefusal(error)) throw error;
      if (await db.unitOfWork(clientId, (uow) => refuse(uow, key))) throw error;
      if (round === ROUNDS) throw operationInProgress(key.operationId);
    }
  }
}

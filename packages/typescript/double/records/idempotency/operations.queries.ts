import { isSameRequest, type OperationClaim, secondUseKey } from '../../../../../src/idempotency/claim.ts';
import type { ClaimOutcome, FinishedOperation } from '../../../../../src/idempotency/operations.queries.ts';
import type { UnitOfWork } from '../../../../../src/persistence/database.ts';
import { storeOf } from '../../store.ts';
import { insertInto } from '../persistence/insert-into.ts';
import { operationTable } from '../../../../../src/idempotency/operation.entity.ts';

/** Each operation has its own ids, as {@link secondUseKey} writes them: with one host there is no other form. */
export async function outcomesOf(uow: UnitOfWork, claims: readonly OperationClaim[]): Promise<ClaimOutcome[]> {
  const rows = storeOf(uow).rows('operation');
  return claims.map((claim) => {
    const key = keyOf(claim);
    const found = rows.find(({ id }) => id === key) as
      | { scope: string; fingerprint: Buffer; response: Buffer }
      | undefined;
    if (found === undefined) return { state: 'free', mayBeSecondUse: false };
    return isSameRequest(claim, found) ? { state: 'done', response: found.response } : { state: 'reused' };
  });
}

export async function storeOperations(
  uow: UnitOfWork,
  finished: readonly FinishedOperation[],
  now: Date,
): Promise<void> {
  await insertRows(
    uow,
    finished.map((operation) => ({ ...operation, id: keyOf(operation), createdAt: now })),
  );
}

const insertRows = insertInto(operationTable);

function keyOf({ scope, operationId }: OperationClaim): string {
  return secondUseKey(scope, operationId);
}

import { createHash } from 'node:crypto';
import { type DescMessage, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { DomainError } from '../kernel/domain-error.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { type ClaimOutcome, claimOperations, storeOperations } from './operations.queries.ts';

/** What makes a call the same call: its operation id, and everything it sent that decides its effect. */
export type OperationKey = {
  /** Empty: the call is not idempotent and takes effect each time. */
  readonly operationId: string;
  /** For example `['EmitTrigger', code, idType, accountId, metadata]`. Order counts. */
  readonly content: readonly string[];
};

/** The answer, and whether it is the stored one of an earlier call. */
export type OnceResult<T> = { readonly message: T; readonly replayed: boolean };

/**
 * Runs `work` at most once for an operation id: its effects, the id and the answer commit together.
 * @throws DomainError `OPERATION_IN_PROGRESS` (409) while another call holds the id, `OPERATION_ID_REUSED` (400) when the
 * id came with other content before
 */
export async function once<S extends DescMessage>(
  uow: UnitOfWork,
  key: OperationKey,
  response: { readonly schema: S; readonly now: Date },
  work: () => Promise<MessageShape<S>>,
): Promise<OnceResult<MessageShape<S>>> {
  if (key.operationId === '') return { message: await work(), replayed: false };
  const claim = { operationId: key.operationId, fingerprint: fingerprintOf(key.content) };
  const [outcome] = await claimOperations(uow, [claim]);
  if (outcome?.state === 'done') return { message: fromBinary(response.schema, outcome.response), replayed: true };
  const refusal = outcome && refusalOf(outcome, key.operationId);
  if (refusal) throw refusal;
  const message = await work();
  await storeOperations(uow, [{ ...claim, response: toBinary(response.schema, message) }], response.now);
  return { message, replayed: false };
}

/** SHA-256 over the parts, each preceded by its length, so that no two lists of parts read the same. */
export function fingerprintOf(content: readonly string[]): Buffer {
  return createHash('sha256')
    .update(content.map((part) => `${part.length}:${part}`).join(''))
    .digest();
}

/** The error of a claim that may not take effect; undefined where it may, or is done. */
export function refusalOf(outcome: ClaimOutcome, operationId: string): DomainError | undefined {
  switch (outcome.state) {
    case 'inProgress':
      return operationInProgress(operationId);
    case 'reused':
      return new DomainError(
        'invalid',
        'OPERATION_ID_REUSED',
        `The operationId '${operationId}' was used before with other content. Send a new operationId for a new operation.`,
      );
    default:
      return undefined;
  }
}

/** 409 while another call with the same id is under way. */
export function operationInProgress(operationId: string): DomainError {
  return new DomainError(
    'inProgress',
    'OPERATION_IN_PROGRESS',
    `The operation '${operationId}' is being processed. Retry with backoff and the same operationId.`,
  );
}

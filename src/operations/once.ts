import { type DescMessage, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { DomainError } from '../kernel/domain-error.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { claimOf } from './claim.ts';
import type { ContentPart } from './content.ts';
import { OperationTaken } from './operation-taken.ts';
import { type ClaimOutcome, claimOperations, storeOperations } from './operations.queries.ts';

/** What makes a call the same call: its operation id, and everything it sent that decides its effect. */
export type OperationKey = {
  /** Empty: the call is not idempotent and takes effect each time. */
  readonly operationId: string;
  /** The operation's name first, which is also its scope. Order counts. */
  readonly content: readonly [operation: string, ...parts: ContentPart[]];
};

/** The answer, and whether it is the stored one of an earlier call. */
export type OnceResult<T> = { readonly message: T; readonly replayed: boolean };

/**
 * Runs `work` at most once for an operation and its id: its effects, the id and the answer commit together.
 * @throws DomainError `OPERATION_IN_PROGRESS` (409) while another call holds the id, `OPERATION_ID_REUSED` (400) when the
 * id came with other content before
 */
export async function once<S extends DescMessage>(
  uow: UnitOfWork,
  { operationId, content }: OperationKey,
  response: { readonly schema: S; readonly now: Date },
  work: () => Promise<MessageShape<S>>,
): Promise<OnceResult<MessageShape<S>>> {
  if (operationId === '') return { message: await work(), replayed: false };
  const claim = claimOf(operationId, content[0], content);
  const [outcome] = await claimOperations(uow, [claim]);
  if (outcome?.state === 'done') return { message: fromBinary(response.schema, outcome.response), replayed: true };
  const refusal = outcome && refusalOf(outcome, operationId);
  if (refusal) throw refusal;
  const message = await work();
  const shared = outcome?.state === 'free' && outcome.shared;
  await storeOperations(uow, [{ ...claim, shared, response: toBinary(response.schema, message) }], response.now);
  return { message, replayed: false };
}

/** The error of a claim that may not take effect; undefined where it may, or is done. */
export function refusalOf(outcome: ClaimOutcome, operationId: string): DomainError | undefined {
  switch (outcome.state) {
    case 'inProgress':
      return operationInProgress(operationId);
    case 'reused':
      return operationIdReused(operationId);
    default:
      return undefined;
  }
}

/** 400 for an id that came with other content before. Not 409, which would make callers retry for ever. */
export function operationIdReused(operationId: string): DomainError {
  return new DomainError(
    'invalid',
    'OPERATION_ID_REUSED',
    `The operationId '${operationId}' was used before with other content. Send a new operationId for a new operation.`,
  );
}

/** 409 while another call with the same id is under way. */
export function operationInProgress(operationId: string): DomainError {
  return new OperationTaken(operationId);
}

import { type DescMessage, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { type Attempts, refusalOfAttempt, attemptStates } from './attempts.ts';
import { type OperationClaim, claimOf } from './claim.ts';
import type { ContentPart } from './content.ts';
import { OperationTaken } from './operation-taken.ts';
import { type ClaimOutcome, claimOperations, storeOperations } from './operations.queries.ts';
import { deleteRefusals, storeRefusals } from './refusals.queries.ts';

/** The identity of a call: its operation id, and all sent values that decide its effect. */
export type OperationKey = {
  /** Empty: the call is not idempotent and takes effect every time. */
  readonly operationId: string;
  /** The operation's name comes first and is also the scope. The order matters. */
  readonly content: readonly [operation: string, ...parts: ContentPart[]];
};

/** The answer, and whether it is the stored one of an earlier call. */
export type OnceResult<T> = { readonly message: T; readonly replayed: boolean };

/**
 * Runs `work` at most once for an operation and its id: its effects, the id and the answer commit together.
 * @throws DomainError `OPERATION_IN_PROGRESS` (409) while another call holds the id, `OPERATION_ID_REUSED` (400) if the id was used with
 * other content before, and the errors of {@link refusalOfAttempt}
 */
export async function once<S extends DescMessage>(
  uow: UnitOfWork,
  key: OperationKey,
  response: { readonly schema: S; readonly now: Date; readonly attempts: Attempts },
  work: () => Promise<MessageShape<S>>,
): Promise<OnceResult<MessageShape<S>>> {
  const { operationId } = key;
  if (operationId === '') return { message: await work(), replayed: false };
  const claim = claimOfCall(key);
  const { attempts } = response;
  const [[outcome], [standing]] = await Promise.all([
    claimOperations(uow, [claim]),
    attemptStates(uow, [{ claim, attempts }]),
  ]);
  if (outcome?.state === 'done') return { message: fromBinary(response.schema, outcome.response), replayed: true };
  const refusal = refusalOf(outcome!, operationId) ?? refusalOfAttempt(standing!, operationId);
  if (refusal) throw refusal;
  const message = await work();
  const mayBeSecondUse = outcome?.state === 'free' && outcome.mayBeSecondUse;
  const finished = { ...claim, mayBeSecondUse, response: toBinary(response.schema, message) };
  await Promise.all([
    deleteRefusals(uow, standing === 'repeat' ? [claim] : []),
    storeOperations(uow, [finished], response.now),
  ]);
  return { message, replayed: false };
}

/**
 * Stores the refusal of a call: after the commit, earlier received attempts at the operation take no effect.
 * @returns false if another call has stored or claimed the id: then no row is stored, and that call's outcome counts
 */
export async function refuse(uow: UnitOfWork, key: OperationKey): Promise<boolean> {
  const claim = claimOfCall(key);
  const [outcome] = await claimOperations(uow, [claim]);
  if (outcome?.state !== 'free') return false;
  await storeRefusals(uow, [claim]);
  return true;
}

/** The claim of a call. */
export function claimOfCall({ operationId, content }: OperationKey): OperationClaim {
  return claimOf(operationId, content[0], content);
}

/** The error of a claim that may not take effect; undefined if it may or is done. */
export function refusalOf(outcome: ClaimOutcome, operationId: string): DomainError | undefined {
  switch (outcome.state) {
    case 'inProgress':
      return operationInProgress(operationId);
    case 'reused':
      return operationIdReused(operationId);
    case 'erased':
      return answerErased(operationId);
    default:
      return undefined;
  }
}

/** 400 for an id that was used with other content before. With a 409 callers would retry forever. */
export function operationIdReused(operationId: string): DomainError {
  return new DomainError(
    'OPERATION_ID_REUSED',
    sentence`The operationId '${operationId}' was used before with other content. Send a new operationId for a new operation.`,
  );
}

/** 404 for a repetition whose answer was erased with its account. */
function answerErased(operationId: string): DomainError {
  return new DomainError(
    'ACCOUNT_NOT_FOUND',
    sentence`The account of operation '${operationId}' was erased, and the answer with it. Send no repeats for it.`,
  );
}

/** 409 while another call with the same id is running. */
export function operationInProgress(operationId: string): DomainError {
  return new OperationTaken(operationId);
}

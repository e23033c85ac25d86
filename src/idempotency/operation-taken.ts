import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';

/**
 * Another transaction stored the operation between the claim and the end of this one: nothing is stored, and a second
 * attempt finds its answer. To a caller it is 409 `OPERATION_IN_PROGRESS`.
 */
export class OperationTaken extends DomainError {
  constructor(operationId: string) {
    super(
      'OPERATION_IN_PROGRESS',
      sentence`The operation '${operationId}' is being processed. Retry with backoff and the same operationId.`,
    );
  }
}

/** Runs `attempt`, and a second time if it met an operation id that another transaction had just stored. */
export async function retryIfTaken<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof OperationTaken) return attempt();
    throw error;
  }
}

import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';

/**
 * Another transaction stored the operation between the claim and the end of this one. This transaction stores no rows, and a second attempt
 * finds the answer. For a caller it is 409 `OPERATION_IN_PROGRESS`.
 */
export class OperationTaken extends DomainError {
  constructor(operationId: string) {
    super(
      'OPERATION_IN_PROGRESS',
      sentence`The operation '${operationId}' is being processed. Retry with backoff and the same operationId.`,
    );
  }
}

/** Runs `attempt`, and repeats it once if another transaction had just stored the operation id. */
export async function retryIfTaken<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof OperationTaken) return attempt();
    throw error;
  }
}

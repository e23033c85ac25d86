import { DomainError } from '../kernel/domain-error.ts';
import type { ErrorKind } from '../kernel/error-kinds.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { databaseUnavailable } from '../persistence/connections/failures.ts';
import type { Claim } from './claim.ts';
import { lastRefusal } from './refusals.queries.ts';

/** The attempts at one call with an operation id. */
export type Attempts = {
  /**
   * Finds out whether an attempt that holds its claim may take effect. May be sent behind the claim without waiting.
   * @returns `current` where nothing was refused, `repeat` where the operation was refused before the call was received,
   * `superseded` where it was refused since, `expired` where the call is too old to tell
   */
  look(uow: UnitOfWork, claim: Claim): Promise<'current' | 'repeat' | 'superseded' | 'expired'>;
};

/** Milliseconds after which a call takes no effect any more, because refusals are not kept for ever. */
const CALL_LIVES_MS = 600_000;

/** Looks at PostgreSQL's clock: the next tells more exactly where a busy process read the answer to the first late. */
const LOOKS = 3;

/**
 * Follows the attempts at a call, in this process. What is older is decided by PostgreSQL's clock: docs/decisions/0021.
 * @param receivedAt when the call was received, in milliseconds of `performance.now()`
 */
export function attemptsOf(receivedAt: number): Attempts {
  // The monotonic clock stands still with a paused machine, and the wall clock does not; the greater age is the safe one.
  const receivedAtByWall = Date.now() - (performance.now() - receivedAt);
  const age = () => Math.max(performance.now() - receivedAt, Date.now() - receivedAtByWall);
  /** A moment of PostgreSQL's clock before which the call was not sent. */
  let notBefore = -Infinity;

  return {
    async look(uow, claim) {
      for (let looked = 1; ; looked += 1) {
        const { now, refusedAt } = await lastRefusal(uow, claim);
        // Measured once the answer is here, so that the call seems older than it is and not younger.
        const elapsed = age();
        if (elapsed > CALL_LIVES_MS) return 'expired';
        notBefore = Math.max(notBefore, now - elapsed);
        if (refusedAt === null) return 'current';
        if (refusedAt < notBefore) return 'repeat';
        if (looked === LOOKS) return 'superseded';
      }
    },
  };
}

/** 409 for an attempt whose caller was told since that the operation is refused. Repeating it is a new call. */
export function callSuperseded(operationId: string): DomainError {
  return new DomainError(
    'OPERATION_IN_PROGRESS',
    `A repeat of the operation '${operationId}' was refused while this call was under way, so this one has no effect. Retry with backoff and the same operationId.`,
  );
}

/** 503 for a call that was received so long ago that nobody can tell what its caller was told since. */
export function callExpired(): DomainError {
  return databaseUnavailable(new Error('The call was received too long ago.'));
}

/** Whether what a call failed with is its caller's final answer, so that no older attempt may succeed after it. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && !TO_BE_REPEATED.has(error.kind);
}

/** What is no final answer: the caller repeats the call unchanged. */
const TO_BE_REPEATED: ReadonlySet<ErrorKind> = new Set(['IN_PROGRESS', 'RATE_LIMITED', 'UNAVAILABLE']);

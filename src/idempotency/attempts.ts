import { CLOCK_TOLERANCE_MS } from '../kernel/time/due.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import type { ErrorKind } from '../kernel/errors/error-kinds.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { databaseUnavailable } from '../persistence/connections/failures.ts';
import type { OperationClaim } from './claim.ts';
import { lastRefusals, type Refusal } from './refusals.queries.ts';

/**
 * Whether an attempt with a claim may take effect. `current`: the operation was not refused. `repeat`: it was refused
 * before the call arrived. `superseded`: it was refused since. `expired`: the call is too old to decide.
 */
export type AttemptState = 'current' | 'repeat' | 'superseded' | 'expired';

/** The attempts at one call with an operation id. */
export type Attempts = {
  /** The state according to one read of the operation's refusals; undefined if only another read can decide. */
  stateFor(refusal: Refusal): AttemptState | undefined;
};

/** Milliseconds after which a call takes no effect any more, because refusals are not kept for ever. */
const CALL_LIVES_MS = 600_000;

/** Looks at PostgreSQL's clock: the next tells more exactly where a busy process read the answer to the first late. */
const LOOKS = 3;

/**
 * Tracks the attempts at a call in this process. PostgreSQL's clock decides older ones: docs/decisions/0021.
 * @param receivedAt when the call was received, in milliseconds of `performance.now()`
 */
export function attemptsOf(receivedAt: number): Attempts {
  // The monotonic clock stops with a paused machine, the wall clock does not; the greater age is safe.
  const receivedAtByWall = Date.now() - (performance.now() - receivedAt);
  const age = () => Math.max(performance.now() - receivedAt, Date.now() - receivedAtByWall);
  /** A moment of PostgreSQL's clock before which the call was not sent. */
  let notBefore = -Infinity;

  return {
    stateFor({ now, refusedAt }) {
      // Measured once the answer is here, so that the call seems older than it is and not younger.
      const elapsed = age();
      if (elapsed > CALL_LIVES_MS) return 'expired';
      notBefore = Math.max(notBefore, now - elapsed);
      if (refusedAt === null) return 'current';
      // By a clock that has gone back since: for as long as that was ahead every call would seem older.
      if (refusedAt > now + CLOCK_TOLERANCE_MS) return 'repeat';
      return refusedAt < notBefore ? 'repeat' : undefined;
    },
  };
}

/** A call that wants its operation id, and the attempts at it. */
export type Attempted = { readonly claim: OperationClaim; readonly attempts: Attempts };

/** Finds out where calls stand, one result for each, in order. May be sent behind their claims without waiting. */
export async function attemptStates(uow: UnitOfWork, calls: readonly Attempted[]): Promise<AttemptState[]> {
  const found = new Map<Attempted, AttemptState>();
  for (let looked = 0; looked < LOOKS && found.size < calls.length; looked += 1) {
    const unknown = calls.filter((call) => !found.has(call));
    const refusals = await lastRefusals(
      uow,
      unknown.map(({ claim }) => claim),
    );
    for (const [index, call] of unknown.entries()) {
      const standing = call.attempts.stateFor(refusals[index]!);
      if (standing !== undefined) found.set(call, standing);
    }
  }
  return calls.map((call) => found.get(call) ?? 'superseded');
}

/** The error of a call that may take no effect, by where it stands; undefined where it may. */
export function refusalOfAttempt(standing: AttemptState, operationId: string): DomainError | undefined {
  if (standing === 'superseded') return callSuperseded(operationId);
  return standing === 'expired' ? callExpired() : undefined;
}

/** 409 for an attempt whose caller was told since that the operation is refused. Repeating it is a new call. */
function callSuperseded(operationId: string): DomainError {
  return new DomainError(
    'OPERATION_IN_PROGRESS',
    sentence`A repeat of the operation '${operationId}' was refused while this call was under way, so this one has no effect. Retry with backoff and the same operationId.`,
  );
}

/** 503 for a call that was received so long ago that nobody can tell what its caller was told since. */
function callExpired(): DomainError {
  return databaseUnavailable(new Error('The call was received too long ago.'));
}

/** Whether what a call failed with is its caller's final answer, so that no older attempt may succeed after it. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && !TO_BE_REPEATED.has(error.kind);
}

/** An error that is not final: the caller repeats the call unchanged. */
const TO_BE_REPEATED: ReadonlySet<ErrorKind> = new Set(['IN_PROGRESS', 'RATE_LIMITED', 'UNAVAILABLE']);

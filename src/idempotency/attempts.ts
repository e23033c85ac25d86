import { CLOCK_TOLERANCE_MS } from '../kernel/time/due.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import type { ErrorKind } from '../kernel/errors/error-kinds.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { databaseUnavailable } from '../persistence/connections/failures.ts';
import type { OperationClaim } from './claim.ts';
import { lastRefusals, type RefusalTimes } from './refusals.queries.ts';

/**
 * Whether an attempt with a claim may take effect. `current`: the operation was not refused. `repeat`: it was refused
 * before the call arrived. `superseded`: it was refused since. `expired`: the call is too old to decide.
 */
export type AttemptState = 'current' | 'repeat' | 'superseded' | 'expired';

/** The attempts at one call with an operation id. */
export type Attempts = {
  /** The state according to one read of the operation's refusals; undefined if only another read can decide. */
  stateFor(refusal: RefusalTimes): AttemptState | undefined;
};

/** Milliseconds after which a call may take no effect any more, because refusals are deleted later. */
const CALL_LIVES_MS = 600_000;

/** The number of readings of PostgreSQL's clock: a busy process may read the first answer late, and a later reading is more exact. */
const LOOKS = 3;

/**
 * Tracks the attempts at a call in this process. PostgreSQL's clock decides older ones: docs/decisions/0021.
 * @param receivedAt the time of receiving the call, in milliseconds of `performance.now()`
 */
export function attemptsOf(receivedAt: number): Attempts {
  // The monotonic clock stops with a paused machine, the wall clock does not; the greater age is safe.
  const receivedAtByWall = Date.now() - (performance.now() - receivedAt);
  const age = () => Math.max(performance.now() - receivedAt, Date.now() - receivedAtByWall);
  /** A time of PostgreSQL's clock before which the call was certainly not sent. */
  let notBefore = -Infinity;

  return {
    stateFor({ now, refusedAt }) {
      // Measured after the answer has arrived, so that the call seems older than it is, never younger.
      const elapsed = age();
      if (elapsed > CALL_LIVES_MS) return 'expired';
      notBefore = Math.max(notBefore, now - elapsed);
      if (refusedAt === null) return 'current';
      // A refusal in the future comes from a clock that was set back since; otherwise every call would seem older until then.
      if (refusedAt > now + CLOCK_TOLERANCE_MS) return 'repeat';
      return refusedAt < notBefore ? 'repeat' : undefined;
    },
  };
}

/** A call with an operation id, and its attempts. */
export type Attempted = { readonly claim: OperationClaim; readonly attempts: Attempts };

/** The states of calls, one for each, in order. It may be sent behind the claims without waiting for them. */
export async function attemptStates(uow: UnitOfWork, calls: readonly Attempted[]): Promise<AttemptState[]> {
  const found = new Map<Attempted, AttemptState>();
  for (let looked = 0; looked < LOOKS && found.size < calls.length; looked += 1) {
    const unknown = calls.filter((call) => !found.has(call));
    const refusals = await lastRefusals(
      uow,
      unknown.map(({ claim }) => claim),
    );
    for (const [index, call] of unknown.entries()) {
      const state = call.attempts.stateFor(refusals[index]!);
      if (state !== undefined) found.set(call, state);
    }
  }
  return calls.map((call) => found.get(call) ?? 'superseded');
}

/** The error of a call that may take no effect, by its state; undefined if it may. */
export function refusalOfAttempt(state: AttemptState, operationId: string): DomainError | undefined {
  if (state === 'superseded') return callSuperseded(operationId);
  return state === 'expired' ? callExpired() : undefined;
}

/** 409 for an attempt that arrived before a refusal of the operation. Its repetition is a new call. */
function callSuperseded(operationId: string): DomainError {
  return new DomainError(
    'OPERATION_IN_PROGRESS',
    sentence`A repeat of the operation '${operationId}' was refused while this call was under way, so this one has no effect. Retry with backoff and the same operationId.`,
  );
}

/** 503 for a call that was received too long ago: its later answers are unknown. */
function callExpired(): DomainError {
  return databaseUnavailable(new Error('The call was received too long ago.'));
}

/** Whether an error is the final answer to its call, so that no older attempt may succeed afterwards. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && !TO_BE_REPEATED.has(error.kind);
}

/** An error that is not final: the caller repeats the call unchanged. */
const TO_BE_REPEATED: ReadonlySet<ErrorKind> = new Set(['IN_PROGRESS', 'RATE_LIMITED', 'UNAVAILABLE']);

import { type ContentPart, fingerprintOf, fingerprintOfV010 } from './content.ts';

/** An operation id of a caller, its operation, and the digest of the request. */
export type OperationClaim = {
  readonly operationId: string;
  /** The operation; for events with their code. An id may be used once per scope. */
  readonly scope: string;
  readonly fingerprint: Buffer;
  /** All sent values that decide the effect. */
  readonly content: readonly ContentPart[];
};

/** The claim of an operation id; `content` has all sent values that decide the effect. */
export function claimOf(operationId: string, scope: string, content: readonly ContentPart[]): OperationClaim {
  return { operationId, scope, fingerprint: fingerprintOf(content), content };
}

/** Whether a claim has the same request as a stored row; rows of v0.1.0 have no scope. */
export function isSameRequest(claim: OperationClaim, stored: { scope: string | null; fingerprint: Buffer }): boolean {
  if (stored.fingerprint.equals(claim.fingerprint)) return true;
  return stored.scope === null && stored.fingerprint.equals(fingerprintOfV010(claim.content));
}

/** The prefix of every {@link secondUseKey}. Operation ids have at most 128 characters, so no caller can send this prefix. */
export const SECOND_USE_PREFIX = '-'.repeat(129);

/**
 * The storage key of a second use of an operation id. The first use has the id itself, as in v0.1.0, so that hosts of v0.1.0 find every id
 * that this release has used: docs/decisions/0013.
 */
export function secondUseKey(scope: string, operationId: string): string {
  return `${SECOND_USE_PREFIX}${scope}/${operationId}`;
}

/** The operation id in the SQL expression `key`, which is the id itself or a {@link secondUseKey} of `scope`. */
export function operationIdSql(key: string, scope: string): string {
  const id = `substr(${key}, ${SECOND_USE_PREFIX.length} + char_length(${scope}) + 2)`;
  return `case when starts_with(${key}, '${SECOND_USE_PREFIX}') then ${id} else ${key} end`;
}

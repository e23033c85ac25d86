import { type ContentPart, fingerprintOf, fingerprintOfV010 } from './content.ts';

/** One operation id that a caller wants to use, what for, and the digest of what it sent with it. */
export type OperationClaim = {
  readonly operationId: string;
  /** The operation, of events with their code. An id may be used once in each. */
  readonly scope: string;
  readonly fingerprint: Buffer;
  /** Everything that it sent and that decides its effect. */
  readonly content: readonly ContentPart[];
};

/** Claims an operation id for a request; `content` is everything that it sent and that decides its effect. */
export function claimOf(operationId: string, scope: string, content: readonly ContentPart[]): OperationClaim {
  return { operationId, scope, fingerprint: fingerprintOf(content), content };
}

/** Whether a claim is for what a row says that was stored with `fingerprint`; the row of v0.1.0 has no scope. */
export function isSameRequest(claim: OperationClaim, stored: { scope: string | null; fingerprint: Buffer }): boolean {
  if (stored.fingerprint.equals(claim.fingerprint)) return true;
  return stored.scope === null && stored.fingerprint.equals(fingerprintOfV010(claim.content));
}

/**
 * The prefix of every {@link secondUseKey}: longer than any operation id, which has at most 128 characters, so that no
 * caller can send one.
 */
export const SECOND_USE_PREFIX = '-'.repeat(129);

/**
 * The key under which a second use of an operation id is stored. The first use has the id itself, as in v0.1.0, whose hosts
 * therefore meet every id that this release has used: docs/decisions/0013.
 */
export function secondUseKey(scope: string, operationId: string): string {
  return `${SECOND_USE_PREFIX}${scope}/${operationId}`;
}

/** The operation id in the SQL expression `key`, be it the id itself or a {@link secondUseKey} of `scope`. */
export function operationIdSql(key: string, scope: string): string {
  const id = `substr(${key}, ${SECOND_USE_PREFIX.length} + char_length(${scope}) + 2)`;
  return `case when starts_with(${key}, '${SECOND_USE_PREFIX}') then ${id} else ${key} end`;
}

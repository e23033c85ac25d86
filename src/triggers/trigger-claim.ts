import { Account_IdType } from '../../gen/laurel/v1/account_pb.ts';
import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import { fingerprintOf } from '../operations/once.ts';
import type { Claim } from '../operations/operations.queries.ts';

/** What makes a repeat the same trigger: shared by the synchronous, asynchronous and batch calls. Undefined without an operation id. */
export function claimOf({ operationId, programmaticCode, idType, accountId, metadata }: Trigger): Claim | undefined {
  if (operationId === '') return undefined;
  // Leaving the id type out says the same as INTERNAL.
  const readAs = idType === Account_IdType.EXTERNAL ? 'EXTERNAL' : 'INTERNAL';
  const content = ['trigger', programmaticCode, readAs, accountId, JSON.stringify(metadata ?? {})];
  return { operationId, fingerprint: fingerprintOf(content) };
}

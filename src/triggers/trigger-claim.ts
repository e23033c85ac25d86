import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import { claimOf, type OperationClaim } from '../idempotency/claim.ts';
import { type ContentPart, readAs } from '../idempotency/content.ts';

/** The scope of a trigger's operation id: it may be used once for each event code. */
export function scopeOf({ programmaticCode }: Pick<Trigger, 'programmaticCode'>): string {
  return `trigger/${programmaticCode}`;
}

/**
 * The claim that identifies a repeated trigger, the same for the synchronous, asynchronous and batch calls. Undefined without an operation
 * id.
 */
export function claimOfTrigger(trigger: Trigger): OperationClaim | undefined {
  const { operationId, programmaticCode, idType, accountId: id, metadata } = trigger;
  if (operationId === '') return undefined;
  const content: ContentPart[] = [
    'trigger',
    programmaticCode,
    readAs(idType),
    { kind: 'accountId', id, idType },
    { kind: 'metadata', metadata },
  ];
  return claimOf(operationId, scopeOf(trigger), content);
}

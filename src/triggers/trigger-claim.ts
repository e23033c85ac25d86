import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import { type Claim, claimOf as claimFor } from '../idempotency/claim.ts';
import { type ContentPart, readAs } from '../idempotency/content.ts';

/** What a trigger's operation id is unique in: it may be used once for each event code. */
export function scopeOf({ programmaticCode }: Pick<Trigger, 'programmaticCode'>): string {
  return `trigger/${programmaticCode}`;
}

/** What makes a repeat the same trigger: shared by the synchronous, asynchronous and batch calls. Undefined without an operation id. */
export function claimOf(trigger: Trigger): Claim | undefined {
  const { operationId, programmaticCode, idType, accountId: id, metadata } = trigger;
  if (operationId === '') return undefined;
  const content: ContentPart[] = [
    'trigger',
    programmaticCode,
    readAs(idType),
    { kind: 'accountId', id, idType },
    { kind: 'metadata', metadata },
  ];
  return claimFor(operationId, scopeOf(trigger), content);
}

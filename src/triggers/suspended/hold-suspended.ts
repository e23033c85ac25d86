import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { ResolvedTrigger } from '../batch-trigger.ts';
import { storedTrigger } from '../inbox/waiting-trigger.ts';
import { insertSuspended } from './suspended-triggers.queries.ts';

/** Stores events of suspended accounts until these are resumed. The caller has locked the accounts. */
export async function holdSuspended(uow: UnitOfWork, events: readonly ResolvedTrigger[]): Promise<void> {
  await insertSuspended(
    uow,
    events.map(({ trigger, event, account, acceptedAt }) => {
      const { accountId: namedAccountId, ...stored } = storedTrigger(trigger, new Date(event.occurredAt));
      return { ...stored, id: newId(), accountId: account.id, namedAccountId, acceptedAt };
    }),
  );
}

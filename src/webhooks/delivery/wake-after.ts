import type { UnitOfWork } from '../../persistence/database.ts';
import { enqueuedIn } from '../outbox/enqueue-webhooks.ts';
import type { Dispatcher } from './dispatcher.ts';

/** A function that sends the webhooks of a unit of work, to call after the commit and the answers; undefined without webhooks. */
export function wakeAfter(uow: UnitOfWork, dispatcher: Pick<Dispatcher, 'wake'>): (() => void) | undefined {
  const { clientId } = uow;
  const messages = enqueuedIn(uow);
  return messages.length === 0 ? undefined : () => dispatcher.wake(clientId, messages);
}

import type { DescMessage, DescMethod, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { AccountSchema } from '../../gen/laurel/v1/account_pb.ts';
import { type Change, recordChange } from '../audit/record-change.ts';
import type { Call } from '../clients/call.ts';
import type { ContentPart } from '../idempotency/content.ts';
import { idempotentCall } from '../idempotency/idempotent-call.ts';
import { checkedText } from '../kernel/text.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import { wakeAfter } from '../webhooks/delivery/wake-after.ts';

/** Sends the webhooks of an action, such as a warning about low stock. */
export type Waker = Pick<Dispatcher, 'wake'>;

/** The result of an action. */
type Acted<S extends DescMessage, Changed extends DescMessage> = {
  readonly answer: MessageInitShape<S>;
  /** The change for the audit log; undefined without one. The log entry has `note` before the reason. */
  readonly change: Omit<Change<Changed>, 'operation'> | undefined;
};

/**
 * The account in the audit log, without personal data, because the log outlives the account. The note has the change.
 */
export function byId(id: string) {
  return { schema: AccountSchema, id, before: { id }, after: { id } };
}

/** One action of support. */
export type Action<S extends DescMessage, Changed extends DescMessage> = {
  readonly method: DescMethod & { readonly output: S };
  readonly request: { readonly reason: string; readonly operationId: string };
  /** The other fields of the request that decide its effect. */
  readonly content: readonly ContentPart[];
  readonly dispatcher?: Waker;
  /** Runs the action, in the same transaction as its operation id and its audit entry. */
  readonly work: (uow: UnitOfWork) => Promise<Acted<S, Changed>>;
};

/**
 * Runs an action of support once for its operation id. The action, its answer and the audit entry with the reason commit together.
 * @throws DomainError `BAD_REQUEST` for a reason that cannot be stored; the errors of {@link idempotentCall} and `work`
 */
export function runSupportAction<S extends DescMessage, Changed extends DescMessage>(
  call: Call,
  { method, request, content, dispatcher, work }: Action<S, Changed>,
): Promise<MessageShape<S>> {
  const reason = checkedText(request.reason, '`reason`');
  const key = { operationId: request.operationId, content: [method.name, ...content, reason] as const };
  return idempotentCall(call, key, method.output, async (uow) => {
    const { answer, change } = await work(uow);
    if (change) {
      const note = change.note === undefined ? reason : `${change.note}: ${reason}`;
      await recordChange(uow, call.principal, { ...change, operation: method, note });
    }
    const wake = dispatcher && wakeAfter(uow, dispatcher);
    if (wake) call.afterResponse(wake);
    return answer;
  });
}

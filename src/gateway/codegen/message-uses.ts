import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { Binding } from '../binding.ts';
import { isValueMessage } from '../wire-form.ts';

/** The uses of a message, which determine its schema. */
export type MessageUse = {
  /** In a request. */
  sent: boolean;
  /** In a response. */
  answered: boolean;
  /** As the body of a PATCH, where `null` clears a field. */
  patched: boolean;
  /** In the body of a webhook, which leaves empty lists out, and otherwise only as the same data in the feed of changes. */
  pushed: boolean;
};

/**
 * The uses of every message that is reachable from the requests and responses of `bindings` and from the bodies of webhooks, by type name.
 */
export function usesOf(bindings: readonly Binding[], pushed: readonly DescMessage[]): ReadonlyMap<string, MessageUse> {
  const uses = new Map<string, MessageUse>();
  const bodies = new Set(pushed);
  for (const { rpc, responseField, bodyField, updateMask } of bindings) {
    mark(uses, rpc.input, 'sent', bodies);
    for (const message of responseField === undefined ? [rpc.output] : innerMessages([responseField])) {
      mark(uses, message, 'answered', bodies);
    }
    const patched = updateMask === undefined ? undefined : useOf(uses, bodyField?.message ?? rpc.input);
    if (patched !== undefined) patched.patched = true;
  }
  for (const message of pushed) markPushed(uses, message);
  return uses;
}

function markPushed(uses: Map<string, MessageUse>, message: DescMessage): void {
  const use = useOf(uses, message);
  if (use.answered) return;
  use.answered = use.pushed = true;
  for (const inner of innerMessages(message.fields)) markPushed(uses, inner);
}

function mark(
  uses: Map<string, MessageUse>,
  message: DescMessage,
  how: 'sent' | 'answered',
  bodies: ReadonlySet<DescMessage>,
): void {
  if (bodies.has(message)) return;
  const use = useOf(uses, message);
  if (use[how]) return;
  use[how] = true;
  for (const inner of innerMessages(message.fields)) mark(uses, inner, how, bodies);
}

function innerMessages(fields: readonly DescField[]): DescMessage[] {
  return fields.flatMap(({ message }) => (message === undefined || isValueMessage(message) ? [] : [message]));
}

function useOf(uses: Map<string, MessageUse>, message: DescMessage): MessageUse {
  const known = uses.get(message.typeName) ?? { sent: false, answered: false, patched: false, pushed: false };
  uses.set(message.typeName, known);
  return known;
}

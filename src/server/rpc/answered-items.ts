import type { DescMethod, Message } from '@bufbuild/protobuf';
import type { AnsweredItem, CallFailure } from '../../clients/answered-call.ts';
import { itemFaultOf } from '../../kernel/errors/item-faults.ts';
import { itemListOf, itemsIn } from './item-list.ts';

/** The result of an item: a oneof `outcome` with the cases `result` and `error`. */
type ItemResult = { readonly outcome?: { readonly case: string | undefined; readonly value?: unknown } };

/**
 * The items of a call with their failures; undefined for a method whose items are not answered one by one.
 * @param answer has one of `results` for each item, in their order
 */
export function answeredItems(method: DescMethod, request: Message, answer: Message): AnsweredItem[] | undefined {
  const list = itemListOf(method);
  if (list === undefined) return undefined;
  const { results = [] } = answer as Message & { readonly results?: readonly ItemResult[] };
  return itemsIn(request, list).map((item, index) => ({
    input: list.message,
    request: item as Message,
    failure: failureOf(item, results[index]),
  }));
}

function failureOf(item: object, result: ItemResult | undefined): CallFailure | undefined {
  if (result?.outcome?.case !== 'error') return undefined;
  const { statusCode, code, message } = result.outcome.value as CallFailure;
  return { statusCode, code, message, details: itemFaultOf(item)?.details };
}

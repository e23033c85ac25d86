import { type DescField, type DescMethod, getOption } from '@bufbuild/protobuf';
import { ErrorCode, errors } from '../../../gen/laurel/errors/v1/errors_pb.ts';

/** A list of messages in a request. */
export type ItemList = DescField & { readonly fieldKind: 'list'; readonly listKind: 'message' };

/**
 * The list whose items are answered one by one, each with its own result or error: the messages in the request of a method that declares
 * `BAD_REQUEST` with `per_item`. A fault of one item is then its own answer, not that of the call.
 */
export function itemListOf(method: DescMethod): ItemList | undefined {
  const isPerItem = getOption(method, errors).some(({ code, perItem }) => perItem && code === ErrorCode.BAD_REQUEST);
  return isPerItem ? method.input.fields.find(isItemList) : undefined;
}

/** The items of a request. */
export function itemsIn(request: object, { localName }: ItemList): readonly object[] {
  return (request as Record<string, readonly object[]>)[localName]!;
}

function isItemList(field: DescField): field is ItemList {
  return field.fieldKind === 'list' && field.listKind === 'message';
}

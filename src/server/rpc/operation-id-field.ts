import type { DescField, DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';

/** The field of the operation id in a request; for a request with many operations, the field that lists them. */
export type OperationIdField =
  | { readonly kind: 'one'; readonly within: DescField | undefined; readonly field: DescField }
  | { readonly kind: 'many'; readonly list: DescField };

/**
 * The field of the operation id in the request of a method: in the message itself, or in a message in it. Undefined for a method without
 * one, or for a read, which does not use it.
 */
export function operationIdField(method: DescMethod): OperationIdField | undefined {
  if (method.methodKind !== 'unary' || method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS) {
    return undefined;
  }
  const { fields } = method.input;
  const own = operationIdIn(fields);
  if (own !== undefined) return { kind: 'one', within: undefined, field: own };
  for (const within of fields) {
    const field = within.message && operationIdIn(within.message.fields);
    if (field === undefined) continue;
    if (within.fieldKind === 'message') return { kind: 'one', within, field };
    if (within.fieldKind === 'list') return { kind: 'many', list: within };
  }
  return undefined;
}

function operationIdIn(fields: readonly DescField[]): DescField | undefined {
  return fields.find((field) => field.name === 'operation_id' && field.fieldKind === 'scalar');
}

import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { safe_to_repeat } from '../../../gen/laurel/http/v1/options_pb.ts';
import { operationIdField } from './operation-id-field.ts';

/**
 * Whether a repeated call of a method does its work again, and no operation id prevents it: our methods without an
 * idempotency level and without `safe_to_repeat`.
 */
export function isUnsafeToRepeat(method: DescMethod): boolean {
  return (
    method.parent.typeName.startsWith('laurel.') &&
    method.idempotency === MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN &&
    !getOption(method, safe_to_repeat) &&
    operationIdField(method) === undefined
  );
}

import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { safe_to_repeat } from '../../../gen/laurel/http/v1/options_pb.ts';
import { operationIdPlace } from './operation-id-field.ts';

/**
 * Whether each call of a method does its work again, and no operation id can keep it from that: one of ours that states neither an
 * idempotency level nor `safe_to_repeat`.
 */
export function isUnsafeToRepeat(method: DescMethod): boolean {
  return (
    method.parent.typeName.startsWith('laurel.') &&
    method.idempotency === MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN &&
    !getOption(method, safe_to_repeat) &&
    operationIdPlace(method) === undefined
  );
}

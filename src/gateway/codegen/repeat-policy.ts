import { type DescEnum, type DescExtension, type DescMethod, getOption } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Level } from '@bufbuild/protobuf/wkt';
// Types only: code generation reads this file while `gen/` is empty.
import type { Repeat_PolicyJson } from '../../../gen/laurel/http/v1/options_pb.ts';
import { operationIdField } from '../../server/rpc/operation-id-field.ts';

/** Whether a program may repeat a call automatically: laurel.http.v1.Repeat.Policy. */
export type RepeatPolicy = Exclude<Repeat_PolicyJson, 'POLICY_UNSPECIFIED'>;

/**
 * The policy of an RPC: derived from its idempotency level or its operation id, or stated by `(laurel.http.v1.repeat)`.
 * @param repeat the extension of that option
 * @throws Error if it is neither derived nor stated, or if it is derived and another one is stated
 */
export function repeatPolicy(rpc: DescMethod, repeat: DescExtension): RepeatPolicy {
  const stated = statedPolicy(rpc, repeat);
  const derived = derivedPolicy(rpc);
  if (derived === undefined && stated === undefined) {
    throw new Error(`${rpc}: state whether a program may repeat it: option (laurel.http.v1.repeat) = SAFE or NEVER.`);
  }
  const mayDiffer = rpc.idempotency === Level.IDEMPOTENT && stated === 'NEVER';
  if (derived !== undefined && stated !== undefined && !mayDiffer) {
    throw new Error(`${rpc}: (laurel.http.v1.repeat) is ${derived} without being stated: remove the option.`);
  }
  if (stated === 'WITH_OPERATION_ID') throw new Error(`${rpc}: it has no operation id to repeat it with.`);
  return stated ?? derived!;
}

/** Whether an RPC has a policy: Laurel's own have one. */
export function isOurs({ parent }: DescMethod): boolean {
  return parent.typeName.startsWith('laurel.');
}

function derivedPolicy(rpc: DescMethod): RepeatPolicy | undefined {
  if (rpc.idempotency !== Level.IDEMPOTENCY_UNKNOWN) return 'SAFE';
  return operationIdField(rpc) === undefined ? undefined : 'WITH_OPERATION_ID';
}

function statedPolicy(rpc: DescMethod, repeat: DescExtension): RepeatPolicy | undefined {
  const number = getOption(rpc, repeat) as number;
  if (number === 0) return undefined;
  return (repeat as { readonly enum?: DescEnum }).enum?.value[number]?.name as RepeatPolicy | undefined;
}

import { create, type DescMethod, setExtension } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Level, MethodOptionsSchema } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { repeat, Repeat_Policy as Policy } from '../../gen/laurel/http/v1/options_pb.ts';
import { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import { TriggerService } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { routes } from '../../gen/routes.ts';
import { repeatPolicy } from '../../src/gateway/codegen/repeat-policy.ts';

/** An RPC with another level and policy in its proto. */
function rpcWith(rpc: DescMethod, idempotency: Level, policy?: Policy): DescMethod {
  const options = create(MethodOptionsSchema);
  if (policy !== undefined) setExtension(options, repeat, policy);
  return { ...rpc, idempotency, proto: { ...rpc.proto, options } };
}

const { createAccount } = AccountService.method;
const { emitTrigger, emitTriggerBatch } = TriggerService.method;

test('the policy follows from the level, or from an operation id, also of the items of a batch', () => {
  expect(repeatPolicy(rpcWith(createAccount, Level.NO_SIDE_EFFECTS), repeat)).toBe('SAFE');
  expect(repeatPolicy(rpcWith(createAccount, Level.IDEMPOTENT), repeat)).toBe('SAFE');
  expect(repeatPolicy(rpcWith(emitTrigger, Level.IDEMPOTENCY_UNKNOWN), repeat)).toBe('WITH_OPERATION_ID');
  expect(repeatPolicy(rpcWith(emitTriggerBatch, Level.IDEMPOTENCY_UNKNOWN), repeat)).toBe('WITH_OPERATION_ID');
});

test('an RPC from which nothing follows states its policy, otherwise it is refused', () => {
  expect(() => repeatPolicy(rpcWith(createAccount, Level.IDEMPOTENCY_UNKNOWN), repeat)).toThrow(
    'rpc laurel.v1.AccountService.CreateAccount: state whether a program may repeat it',
  );
  expect(repeatPolicy(rpcWith(createAccount, Level.IDEMPOTENCY_UNKNOWN, Policy.SAFE), repeat)).toBe('SAFE');
  expect(repeatPolicy(rpcWith(createAccount, Level.IDEMPOTENCY_UNKNOWN, Policy.NEVER), repeat)).toBe('NEVER');
});

test('a policy that says what follows, or the opposite of it, is refused, but for NEVER of an IDEMPOTENT RPC', () => {
  expect(repeatPolicy(rpcWith(createAccount, Level.IDEMPOTENT, Policy.NEVER), repeat)).toBe('NEVER');
  for (const policy of [Policy.SAFE, Policy.NEVER]) {
    expect(() => repeatPolicy(rpcWith(createAccount, Level.NO_SIDE_EFFECTS, policy), repeat)).toThrow(
      'remove the option',
    );
    expect(() => repeatPolicy(rpcWith(emitTrigger, Level.IDEMPOTENCY_UNKNOWN, policy), repeat)).toThrow(
      'remove the option',
    );
  }
  const without = rpcWith(createAccount, Level.IDEMPOTENCY_UNKNOWN, Policy.WITH_OPERATION_ID);
  expect(() => repeatPolicy(without, repeat)).toThrow('it has no operation id');
});

test('every operation of the service has a policy', () => {
  for (const { rpc } of routes) expect(repeatPolicy(rpc, repeat)).toMatch(/^(SAFE|WITH_OPERATION_ID|NEVER)$/);
});

import { clone, create, type DescMethod } from '@bufbuild/protobuf';
import type { StreamResponse, Transport } from '@connectrpc/connect';
import { Attempts } from './attempts.ts';
import { complete } from './complete.ts';
import { errorOf } from './error-of.ts';
import { MethodOptions_IdempotencyLevel as Level } from '@bufbuild/protobuf/wkt';
import type { Account_IdType } from './gen/laurel/v1/account_pb.ts';
import type { LaurelError } from './laurel-error.ts';
import { forgetUnknownEnums } from './unknown-enums.ts';

/** A call, as hooks see it: the same object in all hooks of the call. */
export type Call = {
  /** For example `laurel.v1.TriggerService/EmitTrigger`. */
  readonly name: string;
  /** The headers of the next attempt; `before` may add some, such as `traceparent`. */
  readonly headers: Headers;
  /** The operation id; absent if the call has none, or several. */
  readonly operationId: string | undefined;
  /** How many attempts have begun. */
  attempts: number;
};

/** Functions around each call, for traces, figures and logs. An error in a hook is ignored. */
export type Hooks = {
  /** Runs before the first attempt. */
  readonly before?: ((call: Call) => void) | undefined;
  /** Runs after a successful call. */
  readonly after?: ((call: Call) => void) | undefined;
  /** Runs after a call that failed for good. */
  readonly error?: ((call: Call, error: LaurelError) => void) | undefined;
};

/** The defaults of the calls of one client. */
export type CallSettings = {
  /** The key of the next attempt; undefined for none. */
  readonly key: () => string | undefined | Promise<string | undefined>;
  readonly idType: Account_IdType;
  /** The deadline of a call with all its attempts, in milliseconds. */
  readonly timeoutMs: number;
  /** The greatest number of repeats of one call. */
  readonly retriesMax: number;
  readonly hooks: Hooks;
  /** Whether answers may have enum values that the package does not know; JSON leaves them out. */
  readonly isBinary: boolean;
};

/** A transport with keys, a deadline, repeats, operation ids, hooks and errors of this package. */
export function callTransport(inner: Transport, settings: CallSettings): Transport {
  return {
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      const isSafe = method.idempotency !== Level.IDEMPOTENCY_UNKNOWN;
      // A copy, because the request of the caller stays as it is.
      const message = clone(method.input, create(method.input, input));
      const { operationId, hasOperationIds } = complete(method.input, message, settings.idType, !isSafe);
      const attempts = new Attempts(settings.retriesMax, timeoutMs ?? settings.timeoutMs, signal);
      const call: Call = { name: nameOf(method), headers: new Headers(header), operationId, attempts: 0 };
      run(() => settings.hooks.before?.(call));
      for (;;) {
        const leftMs = attempts.begin();
        call.attempts = attempts.count;
        try {
          await authorize(call.headers, settings);
          // Zero is no deadline; the client's own default must not apply.
          const answer = await inner.unary(method, signal, leftMs ?? 0, call.headers, message as never, contextValues);
          if (settings.isBinary) forgetUnknownEnums(method.output, answer.message);
          run(() => settings.hooks.after?.(call));
          return answer;
        } catch (thrown) {
          const error = errorOf(thrown, { attempts: attempts.count, operationId });
          // The protos' option `repeat`: SAFE, or WITH_OPERATION_ID; NEVER has neither.
          if ((isSafe || hasOperationIds) && (await attempts.isRepeated(error))) continue;
          run(() => settings.hooks.error?.(call, error));
          throw error;
        }
      }
    },

    // A stream has the deadline of its caller alone, and is never repeated: its messages may have been used.
    async stream(method, signal, timeoutMs, header, input, contextValues) {
      const call: Call = { name: nameOf(method), headers: new Headers(header), operationId: undefined, attempts: 1 };
      run(() => settings.hooks.before?.(call));
      const fail = (thrown: unknown): never => {
        const error = errorOf(thrown);
        run(() => settings.hooks.error?.(call, error));
        throw error;
      };
      try {
        await authorize(call.headers, settings);
        const answer = await inner.stream(method, signal, timeoutMs, call.headers, input, contextValues);
        return { ...answer, message: followed(answer, fail, () => run(() => settings.hooks.after?.(call))) };
      } catch (thrown) {
        return fail(thrown);
      }
    },
  };
}

async function* followed<T>(
  { message }: Pick<StreamResponse, 'message'>,
  fail: (thrown: unknown) => never,
  end: () => void,
): AsyncGenerator<T> {
  try {
    yield* message as AsyncIterable<T>;
  } catch (thrown) {
    fail(thrown);
  }
  end();
}

async function authorize(headers: Headers, { key }: CallSettings): Promise<void> {
  const value = await key();
  if (value !== undefined) headers.set('authorization', `Bearer ${value}`);
}

function nameOf({ parent, name }: DescMethod): string {
  return `${parent.typeName}/${name}`;
}

function run(hook: () => void): void {
  try {
    hook();
  } catch {
    // An observer must not fail the call.
  }
}

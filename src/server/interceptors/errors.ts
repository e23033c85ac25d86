import type { DescMethod } from '@bufbuild/protobuf';
import type { Interceptor } from '@connectrpc/connect';
import type { Logger } from 'pino';
import { connectErrorOf } from '../rpc/connect-error.ts';
import { answeredItems } from '../rpc/answered-items.ts';
import { itemListOf } from '../rpc/item-list.ts';
import { exchangeKey } from '../http/exchange.ts';

/**
 * The outermost interceptor: it answers every error in the documented form, and logs unexpected ones. It tells the exchange what was refused.
 */
export function errorsInterceptor(logger: Logger): Interceptor {
  const withItems = new Map<DescMethod, boolean>();
  const hasItems = (method: DescMethod) => {
    const known = withItems.get(method);
    if (known !== undefined) return known;
    const has = itemListOf(method) !== undefined;
    withItems.set(method, has);
    return has;
  };
  return (next) => async (request) => {
    const answer = (error: unknown) => connectErrorOf(error, request.contextValues.get(exchangeKey), logger);
    try {
      const response = await next(request);
      if (response.stream) return { ...response, message: translated(response.message, answer) };
      const exchange = hasItems(request.method) ? request.contextValues.get(exchangeKey) : undefined;
      if (exchange !== undefined && !request.stream)
        exchange.called = { items: answeredItems(request.method, request.message, response.message) };
      return response;
    } catch (error) {
      const exchange = request.contextValues.get(exchangeKey);
      if (exchange !== undefined && !request.stream)
        exchange.called = { asked: { input: request.method.input, request: request.message } };
      throw answer(error);
    }
  };
}

/** A stream may fail after its first message, when `next` has long returned. */
async function* translated<T>(messages: AsyncIterable<T>, answer: (error: unknown) => Error): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (error) {
    throw answer(error);
  }
}

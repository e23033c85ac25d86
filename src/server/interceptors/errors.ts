import type { Interceptor } from '@connectrpc/connect';
import type { Logger } from 'pino';
import { connectErrorOf } from '../rpc/connect-error.ts';
import { exchangeKey } from '../http/exchange.ts';

/** The outermost interceptor: it answers every error in the documented form, and logs unexpected ones. */
export function errorsInterceptor(logger: Logger): Interceptor {
  return (next) => async (request) => {
    const answer = (error: unknown) => connectErrorOf(error, request.contextValues.get(exchangeKey), logger);
    try {
      const response = await next(request);
      return response.stream ? { ...response, message: translated(response.message, answer) } : response;
    } catch (error) {
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

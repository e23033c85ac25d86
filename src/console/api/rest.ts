import { ConnectError } from '@connectrpc/connect';
import { ErrorInfoSchema } from '../../../gen/google/rpc/error_details_pb.ts';
import type { SessionKeeper } from '../session/session-keeper.ts';
import { noteSetupRequired } from './note-setup-required.ts';
import { baseUrl } from './public-transport.ts';

/** The body of a refusal over REST. */
type ErrorBody = { readonly message?: string; readonly code?: string; readonly traceId?: string };

/**
 * Calls a documented REST path as the signed-in user, for files, which fit the browser's streams best.
 * @throws ConnectError like a call of the generated clients, so that both failures look alike
 */
export async function callRest(
  keeper: SessionKeeper,
  path: string,
  init: Omit<RequestInit, 'headers'> = {},
): Promise<Response> {
  const send = () => fetch(new URL(path, baseUrl), { ...init, headers: keeper.headers() });
  const first = await send();
  const response = first.status === 401 && (await keeper.renew()) ? await send() : first;
  if (response.ok) return response;
  const failure = await failureIn(response);
  noteSetupRequired(failure, keeper);
  throw failure;
}

async function failureIn(response: Response): Promise<ConnectError> {
  const refusal = (await response.json().catch(() => ({}))) as ErrorBody;
  const info = {
    desc: ErrorInfoSchema,
    value: {
      reason: refusal.code ?? String(response.status),
      metadata: refusal.traceId === undefined ? {} : { traceId: refusal.traceId },
    },
  };
  return new ConnectError(refusal.message ?? response.statusText, undefined, response.headers, [info]);
}

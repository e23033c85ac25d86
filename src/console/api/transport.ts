import type { Interceptor, Transport } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import type { SessionKeeper } from '../session/session-keeper.ts';
import { isUnauthenticated } from './failure.ts';
import { noteSetupRequired } from './note-setup-required.ts';
import { baseUrl } from './public-transport.ts';

/**
 * Calls as the signed-in user, for the chosen client. A token that the service no longer takes is renewed once; if that fails too, the
 * session has ended and the keeper shows the sign-in. Where a second factor has become required meanwhile, the keeper learns it.
 */
export function createSessionTransport(keeper: SessionKeeper): Transport {
  return createConnectTransport({ baseUrl, interceptors: [authenticating(keeper)] });
}

function authenticating(keeper: SessionKeeper): Interceptor {
  return (next) => async (request) => {
    sign(request.header, keeper);
    try {
      return await next(request);
    } catch (error) {
      noteSetupRequired(error, keeper);
      if (!isUnauthenticated(error) || !(await keeper.renew())) throw error;
      sign(request.header, keeper);
      return next(request);
    }
  };
}

function sign(header: Headers, keeper: SessionKeeper): void {
  for (const [name, value] of Object.entries(keeper.headers())) header.set(name, value);
}

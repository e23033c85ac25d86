import type { DescMethod } from '@bufbuild/protobuf';
import { Role } from '../../gen/laurel/auth/v1/options_pb.ts';
import type { Authenticator } from '../clients/authenticate.ts';
import { principalKey } from '../clients/principal.ts';
import { type Exchange, headerOf } from './exchange.ts';

/**
 * Authenticates the caller of a method, before its body is read, and leaves the principal in the context values. A public
 * method lets everybody pass.
 * @throws DomainError as {@link Authenticator} does
 */
export type Gate = (exchange: Exchange, method: DescMethod) => Promise<void>;

/** The gate of the server, the same for every protocol. */
export function createGate(authenticator: Authenticator, roleOf: (method: DescMethod) => Role): Gate {
  return async ({ request, contextValues }, method) => {
    if (roleOf(method) === Role.PUBLIC) return;
    const principal = await authenticator.authenticate({
      authorization: headerOf(request, 'authorization'),
      actFor: headerOf(request, 'laurel-client-id'),
    });
    contextValues.set(principalKey, principal);
  };
}

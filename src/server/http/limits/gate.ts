import type { DescMethod } from '@bufbuild/protobuf';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import type { Authenticator } from '../../../clients/credentials/authenticate.ts';
import { principalKey } from '../../../clients/principal.ts';
import { callerAddressKey } from '../../../kernel/caller-address.ts';
import { channelKey } from '../../../kernel/concurrency/channel.ts';
import { channelOf } from '../streams/channel.ts';
import { countReset } from '../streams/reset-streams.ts';
import { type Exchange, headerOf, type HttpRequest } from '../exchange.ts';
import { isAuthenticated, markAuthenticated } from './authenticated-connections.ts';
import type { PublicStreams } from '../streams/public-streams.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Authenticates the caller of a method and counts the call, before its body is read, and leaves the principal in the context values. A
 * public method needs no credential; a public stream needs a free slot.
 * @throws DomainError as {@link Authenticator}, {@link RateLimit} and {@link PublicStreams} do
 */
export type Gate = (exchange: Exchange, method: DescMethod) => Promise<void>;

/** The settings of the gate. */
export type GateOptions = {
  /** Absent: no rate limit. */
  readonly rateLimit?: RateLimit | undefined;
  /** The limit of the calls with account tokens of one account. Absent: none. */
  readonly accountLimit?: RateLimit | undefined;
  /** Whether the operator's proxy writes the caller's address into `X-Forwarded-For`. */
  readonly trustForwarded?: boolean | undefined;
  /** Absent: no limit of public streams. */
  readonly publicStreams?: PublicStreams | undefined;
};

/** The gate of the server, the same for every protocol. */
export function createGate(
  authenticator: Authenticator,
  needs: (method: DescMethod) => Permission,
  { rateLimit, accountLimit, trustForwarded = false, publicStreams }: GateOptions = {},
): Gate {
  return async (exchange, method) => {
    const { request, contextValues } = exchange;
    const callerAddress = () => addressOf(request, trustForwarded);
    if (needs(method) === Permission.ANYONE) {
      contextValues.set(callerAddressKey, callerAddress);
      contextValues.set(channelKey, () => channelOf(request));
      if (method.methodKind !== 'unary' && publicStreams !== undefined) {
        exchange.onAnswered(takeSlot(publicStreams, request, callerAddress()));
      }
      return;
    }
    const principal = await authenticator.authenticate({
      authorization: headerOf(request, 'authorization'),
      actFor: headerOf(request, 'laurel-client-id'),
      origin: headerOf(request, 'origin'),
      callerAddress,
    });
    contextValues.set(principalKey, principal);
    markAuthenticated(request);
    if (principal.account !== undefined) await accountLimit?.(principal);
    else if (rateLimit !== undefined) await rateLimit(principal);
  };
}

/**
 * A slot for a public stream. An unauthenticated session with too many is ended: its messages would still be read, only to be discarded.
 */
function takeSlot(publicStreams: PublicStreams, request: HttpRequest, address: string): () => void {
  try {
    return publicStreams.enter(address, isAuthenticated(request));
  } catch (error) {
    if ('stream' in request) countReset(request.stream.session);
    throw error;
  }
}

/**
 * IP address of a caller; may be empty. The last address of `X-Forwarded-For` is the one that the proxy has seen; a caller can invent the
 * others.
 */
export function addressOf(request: HttpRequest, trustForwarded: boolean): string {
  const forwarded = trustForwarded ? headerOf(request, 'x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return forwarded || (request.socket?.remoteAddress ?? '');
}

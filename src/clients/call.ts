import type { DescService } from '@bufbuild/protobuf';
import { createContextValues, type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import { afterResponse } from '../kernel/concurrency/after-response.ts';
import type { Clock } from '../kernel/time/clock.ts';
import type { Database } from '../persistence/database.ts';
import { type Principal, principalKey, principalOf } from './principal.ts';

/** The first argument of a handler: the database, the caller and the time. Other dependencies are a third argument. */
export type Call = {
  readonly db: Database;
  /** Operations that need a credential read it; without one, reading it throws `UNAUTHENTICATED`. */
  readonly principal: Principal;
  /** The time of its first reading; constant for the whole call. */
  readonly now: Date;
  /** The clock, for a call that waits for a lock or an upload and needs the time afterwards. */
  readonly clock: Clock;
  /** The data of the transport: headers, the caller's address, whether the caller is still connected. */
  readonly context: CallContext;
  /** Runs `work` after the answer has been written or the caller has disconnected: see {@link afterResponse}. */
  afterResponse(work: () => void): void;
  /** Sets the header that marks the answer of an earlier call. */
  markReplayed(): void;
};

/** The part of Connect's context that handlers read. */
export type CallContext = Pick<
  HandlerContext,
  'values' | 'requestHeader' | 'responseHeader' | 'requestMethod' | 'signal'
>;

/** A service whose handlers take the call before the request, by the methods of its descriptor. */
export type Handlers<Desc extends DescService> = {
  readonly [Method in keyof ServiceImpl<Desc>]: ServiceImpl<Desc>[Method] extends (
    request: infer Request,
    context: HandlerContext,
  ) => infer Answer
    ? (call: Call, request: Request) => Answer
    : never;
};

/** Makes Connect's form of a service from its handlers. */
export function withCalls<Desc extends DescService>(
  { db, clock }: Pick<Call, 'db' | 'clock'>,
  handlers: Handlers<Desc>,
): ServiceImpl<Desc> {
  type Handler = (call: Call, request: unknown) => unknown;
  const methods = Object.entries(handlers as Readonly<Record<string, Handler>>).map(([name, handler]) => [
    name,
    (request: unknown, context: HandlerContext) => handler(new ContextCall(db, clock, context), request),
  ]);
  return Object.fromEntries(methods) as ServiceImpl<Desc>;
}

/** A call from inside the process, by the command line: no network caller waits for its answer. */
export function internalCall(db: Database, principal: Principal, clock: Clock): Call {
  return new ContextCall(db, clock, {
    values: createContextValues().set(principalKey, principal),
    requestHeader: new Headers(),
    responseHeader: new Headers(),
    requestMethod: 'POST',
    signal: new AbortController().signal,
  });
}

/** A class, because most calls do not need its getters and an object literal would create them again for each call. */
class ContextCall implements Call {
  readonly db: Database;
  readonly clock: Clock;
  readonly context: CallContext;
  #now: Date | undefined;

  constructor(db: Database, clock: Clock, context: CallContext) {
    this.db = db;
    this.clock = clock;
    this.context = context;
  }

  get principal(): Principal {
    return principalOf(this.context);
  }

  get now(): Date {
    return (this.#now ??= this.clock());
  }

  afterResponse(work: () => void): void {
    afterResponse(this.context, work);
  }

  markReplayed(): void {
    this.context.responseHeader.set('Idempotency-Replayed', 'true');
  }
}

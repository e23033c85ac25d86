import type { DescMessage, DescMethodUnary, DescService } from '@bufbuild/protobuf';
import { type CallOptions as ConnectOptions, type Client, createClient, type Transport } from '@connectrpc/connect';
import { Attempts } from './attempts.ts';
import { errorOf } from './error-of.ts';
import type { BatchedEvent, BatchOutcome, EventContent } from './events.ts';
import type { Assignment, FeedItem } from './gen/laurel/v1/assignment_pb.ts';
import {
  FeedService,
  type GetFeedRequestSchema,
  type ListEarnedRewardsRequestSchema,
} from './gen/laurel/v1/feed_service_pb.ts';
import type { PointBalance } from './gen/laurel/v1/loyalty_pb.ts';
import { LoyaltyService } from './gen/laurel/v1/loyalty_service_pb.ts';
import type { EarnedReward } from './gen/laurel/v1/reward_pb.ts';
import type { ReversedTrigger } from './gen/laurel/v1/trigger_pb.ts';
import type { EmitTriggerResponse } from './gen/laurel/v1/trigger_service_pb.ts';
import type { LaurelError } from './laurel-error.ts';
import { type Conditions, type FieldsOf, filterOf, type ListQuery, type RowOf, rowsOf } from './lists.ts';
import { type IdType, idTypeOf, type LaurelOptions, transportOf } from './settings.ts';

/** The options of one call. */
export type CallOptions = {
  /** The kind of the account id; the client's default by default. */
  readonly idType?: IdType | undefined;
  /** The deadline with all attempts, in milliseconds; the client's default by default. */
  readonly timeoutMs?: number | undefined;
  /** Ends the call with the code CANCELED. The service may have done it. */
  readonly signal?: AbortSignal | undefined;
};

/** The options of a call with an operation id. */
export type OperationOptions = CallOptions & {
  /** The id of your own operation, 1-128 characters. By default a random one, made before the first attempt. */
  readonly operationId?: string | undefined;
};

/** The outcome of an event that must not fail its caller. */
export type QuietOutcome =
  | { readonly ok: true; readonly result: EmitTriggerResponse; readonly reason?: undefined; readonly error?: undefined }
  | { readonly ok: false; readonly result?: undefined; readonly reason: string; readonly error: LaurelError };

/**
 * A client of Laurel. All calls have a deadline, are repeated where the protos allow it, and throw a {@link LaurelError}. It holds no
 * connection: one client serves a whole program, and needs no end.
 */
export class Laurel {
  /** The transport with everything that this client adds; other clients of Connect may use it. */
  readonly transport: Transport;
  readonly #retriesMax: number;
  readonly #timeoutMs: number;
  readonly #clients = new Map<DescService, Client<DescService>>();

  /**
   * @param options by default the environment variables LAUREL_URL and LAUREL_KEY
   * @throws TypeError without an address or a key
   */
  constructor(options: LaurelOptions = {}) {
    this.transport = transportOf(options);
    this.#retriesMax = options.retriesMax ?? 4;
    this.#timeoutMs = options.timeoutMs ?? 5_000;
  }

  /** All about events. It is loaded with the first event, because pages that only read need none of it. */
  async #events() {
    const events = await import('./events.ts');
    return { ...events, triggers: this.client(events.TriggerService) };
  }

  /** Any service of `@laurel/client/v1` or `@laurel/client/admin`, with everything that this client adds. */
  client<S extends DescService>(service: S): Client<S> {
    const client = this.#clients.get(service) ?? createClient(service, this.transport);
    this.#clients.set(service, client);
    return client as Client<S>;
  }

  /** Applies an event. A repeat with the same operation id has no second effect, and gets the first answer. */
  async emit(
    code: string,
    account: string,
    content: EventContent = {},
    options: OperationOptions = {},
  ): Promise<EmitTriggerResponse> {
    const { triggers, triggerOf } = await this.#events();
    const trigger = triggerOf({ ...content, ...options, code, account });
    return triggers.emitTrigger({ trigger }, connectOptions(options));
  }

  /** Applies an event and never throws. A failure has a `reason`, the code of the error. */
  async emitQuietly(
    code: string,
    account: string,
    content: EventContent = {},
    options: OperationOptions = {},
  ): Promise<QuietOutcome> {
    try {
      return { ok: true, result: await this.emit(code, account, content, options) };
    } catch (thrown) {
      const error = errorOf(thrown);
      return { ok: false, reason: error.code, error };
    }
  }

  /** Accepts an event, which is stored now and applied later. */
  async emitAsync(
    code: string,
    account: string,
    content: EventContent = {},
    options: OperationOptions = {},
  ): Promise<void> {
    const { triggers, triggerOf } = await this.#events();
    const trigger = triggerOf({ ...content, ...options, code, account });
    await triggers.emitTriggerAsync({ trigger }, connectOptions(options));
  }

  /**
   * Applies up to 1,000 events, in order. Each has its own outcome; events whose error is retryable are sent again within the deadline.
   * @throws LaurelError if the whole call fails
   */
  async emitBatch(
    events: readonly BatchedEvent[],
    { timeoutMs = this.#timeoutMs, signal }: Omit<CallOptions, 'idType'> = {},
  ): Promise<BatchOutcome[]> {
    const { triggers, emitBatch } = await this.#events();
    return emitBatch(triggers, events, new Attempts(this.#retriesMax, timeoutMs, signal), signal);
  }

  /**
   * Takes an applied event back, found by its code and operation id.
   * @param part `amount`: the part of an AMOUNT event; all that is left by default
   * @param options `operationId`: that of the reversal
   */
  async reverse(
    code: string,
    operationId: string,
    part: { readonly amount?: number | undefined; readonly reason?: string | undefined } = {},
    options: Omit<OperationOptions, 'idType'> = {},
  ): Promise<ReversedTrigger | undefined> {
    const { triggers } = await this.#events();
    const { amount, reason = '' } = part;
    const names = { programmaticCode: code, triggerOperationId: operationId, operationId: options.operationId ?? '' };
    const { reversed } = await triggers.reverseTrigger(
      { reversal: { ...names, amount, reason } },
      connectOptions(options),
    );
    return reversed;
  }

  /** The missions of an account, those in progress unless `where` asks for others. Creates the account of an unknown external id. */
  async feed(
    account: string,
    query: Conditions<FieldsOf<typeof GetFeedRequestSchema>> & CallOptions = {},
  ): Promise<FeedItem[]> {
    const request = { ...accountOf(account, query), filters: filterOf(query) };
    return (await this.client(FeedService).getFeed(request, connectOptions(query))).items;
  }

  /** The missions that an account has started and not completed. */
  async progress(account: string, options: CallOptions = {}): Promise<Assignment[]> {
    const request = accountOf(account, options);
    return (await this.client(FeedService).listMissionProgress(request, connectOptions(options))).assignments;
  }

  /** The missions that an account has completed, latest first. */
  async completed(account: string, options: CallOptions = {}): Promise<Assignment[]> {
    const request = accountOf(account, options);
    return (await this.client(FeedService).listCompletedMissions(request, connectOptions(options))).assignments;
  }

  /** Everything that an account has earned, latest first. */
  async earnedRewards(
    account: string,
    query: Conditions<FieldsOf<typeof ListEarnedRewardsRequestSchema>> & CallOptions = {},
  ): Promise<EarnedReward[]> {
    const request = { ...accountOf(account, query), filters: filterOf(query) };
    return (await this.client(FeedService).listEarnedRewards(request, connectOptions(query))).rewards;
  }

  /** The points of an account. */
  async points(account: string, options: CallOptions = {}): Promise<PointBalance | undefined> {
    const request = { id: account, idType: idTypeOf(options.idType) };
    return (await this.client(LoyaltyService).getPoints(request, connectOptions(options))).points;
  }

  /** The rows of any list, such as `AccountService.method.listAccounts`; it asks for a page when it needs one. */
  list<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    query?: ListQuery<I>,
  ): AsyncGenerator<RowOf<O>, void, undefined> {
    return rowsOf(this.transport, method, query ?? ({} as ListQuery<I>));
  }
}

function accountOf(accountId: string, { idType }: CallOptions) {
  return { accountId, idType: idTypeOf(idType) };
}

function connectOptions({ timeoutMs, signal }: CallOptions): ConnectOptions {
  return { ...(timeoutMs !== undefined && { timeoutMs }), ...(signal && { signal }) };
}

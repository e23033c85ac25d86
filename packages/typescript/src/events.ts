import { create, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import type { Attempts } from './attempts.ts';
import { newOperationId } from './complete.ts';
import { errorOfItem } from './error-of.ts';
import { type Trigger, type TriggerResult, TriggerSchema } from './gen/laurel/v1/trigger_pb.ts';
import { TriggerService } from './gen/laurel/v1/trigger_service_pb.ts';
import type { LaurelError } from './laurel-error.ts';
import { type IdType, idTypeOf } from './settings.ts';

/** The content of an event. */
export type EventContent = {
  /** The amount of an AMOUNT event, from 0 to 1e9 with at most four decimals; absent for a SINGLE event. */
  readonly amount?: number | undefined;
  /** The attributes that the event definition declares. */
  readonly attributes?: Readonly<Record<string, JsonValue | undefined>> | undefined;
  /** The time at which it occurred, at most 24 hours back; now by default. */
  readonly occurredAt?: Date | undefined;
};

/** One event of a batch. */
export type BatchedEvent = EventContent & {
  /** The code of an event definition. */
  readonly code: string;
  readonly account: string;
  readonly idType?: IdType | undefined;
  /** The id of your own operation; a random one by default. */
  readonly operationId?: string | undefined;
};

/** The outcome of one event of a batch: its result or its error. */
export type BatchOutcome =
  | { readonly result: TriggerResult; readonly error?: undefined }
  | { readonly result?: undefined; readonly error: LaurelError };

/** The message of an event. */
export function triggerOf({
  code,
  account,
  amount,
  attributes,
  occurredAt,
  idType,
  operationId,
}: BatchedEvent): Trigger {
  return create(TriggerSchema, {
    programmaticCode: code,
    accountId: account,
    idType: idTypeOf(idType),
    operationId: operationId ?? '',
    metadata: metadataOf({ ...attributes, amount }),
    occurredAt: occurredAt && timestampFromDate(occurredAt),
  });
}

/**
 * Applies events, in order, and sends those again whose error is retryable.
 * @param attempts the attempts of the whole batch
 * @throws LaurelError if a whole call fails
 */
export async function emitBatch(
  triggers: Client<typeof TriggerService>,
  events: readonly BatchedEvent[],
  attempts: Attempts,
  signal: AbortSignal | undefined,
): Promise<BatchOutcome[]> {
  // With ids that stay the same in all attempts.
  const messages = events.map((event) => triggerOf({ ...event, operationId: event.operationId || newOperationId() }));
  const outcomes: BatchOutcome[] = [];
  let waiting = [...messages.keys()];
  for (;;) {
    const request = { triggers: waiting.map((index) => messages[index]!) };
    const { results } = await triggers.emitTriggerBatch(request, { timeoutMs: attempts.begin() ?? 0, signal });
    for (const [place, { outcome }] of results.entries()) {
      const index = waiting[place]!;
      const sent = { attempts: attempts.count, operationId: messages[index]!.operationId };
      outcomes[index] =
        outcome.case === 'result' ? { result: outcome.value } : { error: errorOfItem(outcome.value ?? UNKNOWN, sent) };
    }
    waiting = waiting.filter((index) => outcomes[index]?.error?.retryable);
    const first = outcomes[waiting[0] ?? -1]?.error;
    if (first === undefined || !(await attempts.isRepeated(first))) return outcomes;
  }
}

/** The error of an item whose outcome is newer than this package. */
const UNKNOWN = { code: 'UNKNOWN', message: 'The outcome of the item is not known to this package.', statusCode: 500 };

/** The values that are there; undefined without any. */
function metadataOf(values: Readonly<Record<string, JsonValue | undefined>>): JsonObject | undefined {
  const present = Object.entries(values).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return present.length === 0 ? undefined : Object.fromEntries(present);
}

export { TriggerService };

import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import {
  acceptedAttributes,
  type AttributeValues,
  NO_ATTRIBUTES,
  parseAttributes,
} from '../attributes/attribute-values.ts';
import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import type { GameEvent } from '../engine/game-event.ts';
import type { EventDeclaration } from '../engine/missions/event-expression.ts';
import type { EventType } from '../engine/game-event.ts';
import { DAY, MINUTE } from '../kernel/time/timestamp.ts';
import { type Amount, amountFromNumber, ONE } from '../kernel/amount.ts';
import { badRequest, DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';

/** Days by which an event may arrive late. */
const LATE_DAYS_MAX = 1;

/** Milliseconds by which clocks may differ; an event that is at most this far ahead counts as occurring now. */
const AHEAD_MAX = MINUTE;

/**
 * The event of a trigger. Its code must be in the catalogue, and its metadata must fit the code's type and attributes.
 * @param acceptedAt the time of acceptance; for a synchronous event, the time of arrival
 * @param arrival.wasAccepted whether the event waited: then its attributes were judged at its acceptance, by the declarations of that time
 * @param arrival.backfillDaysMax the most days that a backfilled event may be late; undefined for another event
 * @throws DomainError 404 `EVENT_DEFINITION_NOT_FOUND`, 400 `BAD_REQUEST`
 */
export function eventOf(
  trigger: Trigger,
  catalog: Pick<ClientCatalog, 'events'>,
  acceptedAt: Date,
  { wasAccepted = false, backfillDaysMax }: Arrival = {},
): GameEvent {
  const { programmaticCode, metadata = {} } = trigger;
  const declaration = catalog.events.get(programmaticCode);
  if (declaration === undefined) {
    throw new DomainError(
      'EVENT_DEFINITION_NOT_FOUND',
      sentence`There is no event definition '${programmaticCode}'. GET /gamification/triggers lists the codes.`,
    );
  }
  const event = { programmaticCode, ...contentOf(declaration, metadata, wasAccepted) };
  if (backfillDaysMax === undefined) {
    return { ...event, occurredAt: occurredAt(trigger, acceptedAt), acceptedAt: acceptedAt.getTime() };
  }
  if (trigger.occurredAt === undefined)
    throw badRequest('A backfilled event needs occurredAt: the time at which it happened.');
  const moment = occurredAt(trigger, acceptedAt, backfillDaysMax);
  return { ...event, occurredAt: moment, acceptedAt: moment, isBackfilled: true };
}

/** The way of an event to the service; by default directly, and at most a day late. */
export type Arrival = { readonly wasAccepted?: boolean; readonly backfillDaysMax?: number | undefined };

type Content = Pick<GameEvent, 'amount' | 'attributes'>;

function contentOf({ type, attributes }: EventDeclaration, metadata: JsonObject, wasAccepted: boolean): Content {
  if (attributes.length === 0 && !wasAccepted) return { amount: bareAmount(type, metadata), attributes: NO_ATTRIBUTES };
  if (type === 'SINGLE') return { amount: ONE, attributes: valuesOf(metadata) };
  const { amount, ...rest } = metadata;
  return { amount: amountOf(amount), attributes: valuesOf(rest) };

  function valuesOf(json: JsonObject): AttributeValues {
    return wasAccepted ? acceptedAttributes(json, attributes) : parseAttributes(json, attributes, 'metadata').values;
  }
}

/** The amount of an event whose code declares no attributes. */
function bareAmount(type: EventType, metadata: JsonObject): Amount {
  const keys = Object.keys(metadata);
  if (type === 'SINGLE') {
    if (keys.length === 0) return ONE;
    throw badRequest(sentence`A SINGLE event takes no metadata: send {} instead of the keys ${keys}.`);
  }
  const amount = amountOf(metadata['amount']);
  if (keys.length > 1) throw badRequest('metadata of an AMOUNT event has one key, amount: leave the others out.');
  return amount;
}

function amountOf(amount: JsonValue | undefined): Amount {
  if (typeof amount !== 'number')
    throw badRequest('An AMOUNT event needs metadata.amount, a number: {"amount": 12.5}.');
  return amountFromNumber(amount, 'metadata.amount', 0);
}

function occurredAt({ occurredAt: sent }: Trigger, now: Date, daysMax = LATE_DAYS_MAX): number {
  const present = now.getTime();
  if (sent === undefined) return present;
  const instant = timestampMs(sent);
  if (instant > present + AHEAD_MAX)
    throw badRequest('occurredAt is in the future. Send the time at which it happened.');
  if (instant < present - daysMax * DAY) throw tooLate(daysMax);
  return Math.min(instant, present);
}

function tooLate(daysMax: number): DomainError {
  if (daysMax === LATE_DAYS_MAX) return badRequest('occurredAt is more than 24 hours ago: the event is too late.');
  return badRequest(
    sentence`occurredAt is more than ${daysMax} days ago, the \`backfillDaysMax\` of the client: the event is too late.`,
  );
}

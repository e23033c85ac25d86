import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import type { GameEvent } from '../engine/game-event.ts';
import type { EventType } from '../engine/missions/mission-rule.ts';
import { DAY, MINUTE } from '../kernel/time/timestamp.ts';
import { type Amount, amountFromNumber, ONE } from '../kernel/amount.ts';
import { badRequest, DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';

/** Milliseconds by which an event may arrive late. */
const LATE_MAX = DAY;

/** Milliseconds by which clocks may differ; an event that is at most this far ahead counts as occurring now. */
const AHEAD_MAX = MINUTE;

/**
 * The event of a trigger. Its code must be in the catalogue, and its metadata must fit the code's type.
 * @param acceptedAt the time of acceptance; for a synchronous event, the time of arrival
 * @throws DomainError 404 `EVENT_DEFINITION_NOT_FOUND`, 400 `BAD_REQUEST`
 */
export function eventOf(trigger: Trigger, catalog: Pick<ClientCatalog, 'eventTypes'>, acceptedAt: Date): GameEvent {
  const { programmaticCode } = trigger;
  const type = catalog.eventTypes.get(programmaticCode);
  if (type === undefined) {
    throw new DomainError(
      'EVENT_DEFINITION_NOT_FOUND',
      sentence`There is no event definition '${programmaticCode}'. GET /gamification/triggers lists the codes.`,
    );
  }
  return {
    programmaticCode,
    amount: amountOf(type, trigger.metadata),
    occurredAt: occurredAt(trigger, acceptedAt),
    acceptedAt: acceptedAt.getTime(),
  };
}

function amountOf(type: EventType, metadata: Trigger['metadata'] = {}): Amount {
  const keys = Object.keys(metadata);
  if (type === 'SINGLE') {
    if (keys.length === 0) return ONE;
    throw badRequest(sentence`A SINGLE event takes no metadata: send {} instead of the keys ${keys}.`);
  }
  const { amount } = metadata;
  if (typeof amount !== 'number')
    throw badRequest('An AMOUNT event needs metadata.amount, a number: {"amount": 12.5}.');
  if (keys.length > 1) throw badRequest('metadata of an AMOUNT event has one key, amount: leave the others out.');
  return amountFromNumber(amount, 'metadata.amount', 0);
}

function occurredAt({ occurredAt: sent }: Trigger, now: Date): number {
  const present = now.getTime();
  if (sent === undefined) return present;
  const instant = timestampMs(sent);
  if (instant > present + AHEAD_MAX)
    throw badRequest('occurredAt is in the future. Send the time at which it happened.');
  if (instant < present - LATE_MAX) throw badRequest('occurredAt is more than 24 hours ago: the event is too late.');
  return Math.min(instant, present);
}

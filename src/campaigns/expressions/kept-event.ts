import type { JsonObject } from '@bufbuild/protobuf';
import type { AttributeDefinition } from '../../attributes/attribute-definition.ts';
import { acceptedAttributes, NO_ATTRIBUTES } from '../../attributes/attribute-values.ts';
import { type Amount, amountFromNumber, ONE } from '../../kernel/amount.ts';
import type { GameEvent } from '../../engine/game-event.ts';

/** An event that was applied, as far as the journal has kept it. */
export type KeptEvent = {
  readonly programmaticCode: string;
  readonly occurredAt: Date;
  /** Undefined if it had none, or if it is older than the attributes of its code. */
  readonly attributes: JsonObject | undefined;
  /** Undefined for a SINGLE event, and if it is not kept. */
  readonly amount: number | undefined;
};

/** The event as conditions judge it again, by the present declaration of its attributes, as if it had arrived when it occurred. */
export function judgedAgain(
  { programmaticCode, occurredAt, attributes, amount }: KeptEvent,
  declared: readonly AttributeDefinition[],
): GameEvent {
  const moment = occurredAt.getTime();
  return {
    programmaticCode,
    attributes: attributes === undefined ? NO_ATTRIBUTES : acceptedAttributes(attributes, declared),
    amount: keptAmount(amount),
    occurredAt: moment,
    acceptedAt: moment,
  };
}

/** The amount of a kept event: one without any. */
export function keptAmount(amount: number | undefined): Amount {
  return amount === undefined ? ONE : amountFromNumber(amount, 'amount');
}

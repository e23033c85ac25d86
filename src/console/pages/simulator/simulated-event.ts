import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Account_IdType } from '../../../../gen/laurel/v1/account_pb.ts';
import type { TriggerSchema } from '../../../../gen/laurel/v1/trigger_pb.ts';
import { newExternalId } from '../../form/account-select.tsx';
import { type AttributeInputs, inputsOfText, sentInputs } from '../../attributes/attribute-inputs.ts';
import { isMoment, localTimeOf, momentOf } from '../../form/local-time.ts';

/** The simulated event, as the form and the address of the page have it; '' for an empty field. */
export type SimulatedEvent = {
  /** The value of `AccountSelect`. */
  readonly account: string;
  /** The code of the event. */
  readonly event: string;
  readonly amount: number | '';
  /** The values of its attributes, as the service takes them. */
  readonly attributes: AttributeInputs;
  /** ISO 8601 in the address, because colleagues may be elsewhere; local in the form. */
  readonly at: string;
};

/** The event in an address. */
export function eventOfAddress(query: URLSearchParams): SimulatedEvent {
  const amount = query.get('amount') ?? '';
  const at = query.get('at');
  return {
    account: query.get('account') ?? '',
    event: query.get('event') ?? '',
    amount: amount === '' || Number.isNaN(Number(amount)) ? '' : Number(amount),
    attributes: inputsOfText(query.get('attributes')),
    at: isMoment(at) ? at : '',
  };
}

/**
 * The address of it. External ids and personal attributes stay out, because they may be about people: a new account has no address.
 * @param personal the names of personal attributes
 */
export function addressOfEvent(event: SimulatedEvent, personal: readonly string[]): Record<string, string> {
  const shown = Object.entries(sentInputs(event.attributes)).filter(([name]) => !personal.includes(name));
  const attributes = shown.length === 0 ? '' : JSON.stringify(Object.fromEntries(shown));
  const account = newExternalId(event.account) === undefined ? event.account : '';
  const named = Object.entries({ ...event, account, attributes, amount: String(event.amount) });
  return Object.fromEntries(named.filter(([, value]) => value !== ''));
}

/** The event as the service takes it. */
export function triggerOf({
  account,
  event,
  amount,
  attributes,
  at,
}: SimulatedEvent): MessageInitShape<typeof TriggerSchema> {
  const externalId = newExternalId(account);
  return {
    programmaticCode: event,
    accountId: externalId ?? account,
    idType: externalId === undefined ? Account_IdType.INTERNAL : Account_IdType.EXTERNAL,
    metadata: { ...sentInputs(attributes), ...(amount !== '' && { amount }) },
    occurredAt: at === '' ? undefined : timestampFromDate(new Date(at)),
  };
}

/** A moment of an address as the form shows it. */
export function fieldTimeOf(at: string, timeZone: string): string {
  return at === '' ? '' : localTimeOf(timestampFromDate(new Date(at)), timeZone);
}

/** The inverse; '' for an invalid time. */
export function timeOfField(local: string, timeZone: string): string {
  const moment = momentOf(local, timeZone);
  return moment === undefined ? '' : timestampDate(moment).toISOString();
}

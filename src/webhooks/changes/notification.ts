import type { WebhookEndpoint_FormSchema } from '../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import type { EnumName } from '../../kernel/enum-names.ts';
import { type ChangeKind, changeRules } from './change-kind.ts';

/** The form of an endpoint's bodies. */
export type NotificationForm = EnumName<typeof WebhookEndpoint_FormSchema>;

/** One change for one endpoint. */
export type Notification = {
  /** The id of the message. */
  readonly id: string;
  readonly kind: ChangeKind;
  readonly clientId: string;
  readonly occurredAt: Date;
  /** The JSON of the change's message, as a webhook of WebhookService sends it. */
  readonly json: string;
  /** True for a synthetic change. */
  readonly test?: true;
};

/** The beginning of every body of the form CLOUD_EVENTS, and of no other. */
const CLOUD_EVENT = '{"specversion":';

/** The body for an endpoint: the members of its form, with the JSON of the change as `data`. */
export function notificationBody(form: NotificationForm, notification: Notification): string {
  const { kind, json } = notification;
  const members = JSON.stringify(FORMS[form](notification));
  return `${members.slice(0, -1)},"data":${changeRules[kind].toData?.(json) ?? json}}`;
}

/** The media type of a body, by its form. A redelivery sends the stored bytes, whatever the endpoint's form is by then. */
export function mediaTypeOf(body: string): string {
  return body.startsWith(CLOUD_EVENT) ? 'application/cloudevents+json' : 'application/json';
}

/** The members of each form before `data`. */
const FORMS: Readonly<Record<NotificationForm, (notification: Notification) => object>> = {
  PLAIN: ({ id, kind, clientId, occurredAt, test }) => ({ id, type: kind, clientId, occurredAt, test }),
  CLOUD_EVENTS: ({ id, kind, clientId, occurredAt, test }) => ({
    specversion: '1.0',
    id,
    source: `/clients/${clientId}`,
    type: `laurel.${kind.toLowerCase().replaceAll('_', '-')}`,
    time: occurredAt,
    datacontenttype: 'application/json',
    // An extension attribute, as CloudEvents allows in this form.
    test,
  }),
};

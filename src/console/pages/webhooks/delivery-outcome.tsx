import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { WebhookDelivery_Outcome as Outcome } from '../../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { enumName } from '../../api/enum-name.ts';

const colours = { DELIVERED: 'laurel', REFUSED: 'red', TIMED_OUT: 'orange', FAILED: 'red' } as const;

/** From this status on the receiver failed; below, it understood the request and refused it. */
const SERVER_ERROR = 500;

/** The outcome of an attempt, in a word and a colour. */
export function DeliveryOutcome(props: { readonly outcome: Outcome; readonly statusCode?: number | undefined }) {
  const { outcome, statusCode = 0 } = props;
  const t = useTranslations('webhooks.outcomes');
  const name = enumName(Outcome, outcome);
  const isBroken = name === 'REFUSED' && statusCode >= SERVER_ERROR;
  return <Badge color={colours[name]}>{t(isBroken ? 'BROKEN' : name)}</Badge>;
}

import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { WebhookDelivery_Outcome as Outcome } from '../../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { enumName } from '../../api/enum-name.ts';

const colours = { DELIVERED: 'laurel', REFUSED: 'red', TIMED_OUT: 'orange', FAILED: 'red' } as const;

/** The outcome of an attempt, in a word and a colour. */
export function DeliveryOutcome({ outcome }: { readonly outcome: Outcome }) {
  const t = useTranslations('webhooks.outcomes');
  const name = enumName(Outcome, outcome);
  return <Badge color={colours[name]}>{t(name)}</Badge>;
}

import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { WebhookDelivery_Outcome as Outcome } from '../../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { enumName } from '../../api/enum-name.ts';

/** The names of the outcomes, the good one first. */
export const outcomes = ['DELIVERED', 'REFUSED', 'TIMED_OUT', 'FAILED'] as const;

/** Of these, those that failed. */
export const failures = ['REFUSED', 'TIMED_OUT', 'FAILED'] as const;

/** The same as one value of a table's filter. */
export const anyFailure = failures.join(',');

const colours = { DELIVERED: 'laurel', REFUSED: 'red', TIMED_OUT: 'orange', FAILED: 'red' } as const;

/** How an attempt ended, in a word and a colour. */
export function DeliveryOutcome({ outcome }: { readonly outcome: Outcome }) {
  const t = useTranslations('webhooks.outcomes');
  const name = enumName(Outcome, outcome);
  return <Badge color={colours[name]}>{t(name)}</Badge>;
}
